// Two lists side by side.

// Pairs of indices, null where one side has nothing of the kind: the longest common subsequence.
function aligned(left, right) {
  if (left.length * right.length > 250_000) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
      index < left.length ? index : null,
      index < right.length ? index : null,
    ]);
  }
  const wide = right.length + 1;
  const common = new Uint16Array((left.length + 1) * wide);
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const place = one * wide + other;
      common[place] =
        left[one] === right[other]
          ? common[place + wide + 1] + 1
          : Math.max(common[place + wide], common[place + 1]);
    }
  }
  const pairs = [];
  let [one, other] = [0, 0];
  while (one < left.length || other < right.length) {
    const place = one * wide + other;
    if (one < left.length && other < right.length && left[one] === right[other])
      pairs.push([one++, other++]);
    else if (
      other >= right.length ||
      (one < left.length && common[place + wide] >= common[place + 1])
    )
      pairs.push([one++, null]);
    else pairs.push([null, other++]);
  }
  return pairs;
}
