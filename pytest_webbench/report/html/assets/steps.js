// Steps of an episode in words, and as keys to compare them by.

function stepWords(step) {
  const target = [step.role || '', step.name ? `“${shortened(step.name, 60)}”` : '']
    .filter(Boolean)
    .join(' ');
  const value = step.value === null ? '' : shortened(step.value, 80);
  switch (step.kind) {
    case 'type':
      return [`type “${value}” into `, target || 'the page'];
    case 'select':
      return [`select “${value}” in `, target];
    case 'press':
      return [`press ${value}`, target ? ` in ${target}` : ''];
    case 'navigate':
      return [`open ${value || step.after}`];
    case 'check':
      return [`${value === 'false' ? 'untick' : 'tick'} `, target];
    default:
      return [`${step.kind} `, target || value];
  }
}

const stepKey = (step) => JSON.stringify([step.kind, step.role, step.name, step.value]);
