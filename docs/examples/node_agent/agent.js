// A command agent in Node: clicks the first link whose text stands in quotes in the goal.
//
//     (cd docs/examples/node_agent && npm install)
//     pytest suites/suite_c --webbench-agent "command:node docs/examples/node_agent/agent.js"
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const task = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.connectOverCDP(task.cdp_url);
const page = browser.contexts()[0].pages()[0]; // on the start page already

async function act() {
  for (const link of await page.getByRole("link").all()) {
    const text = (await link.innerText()).trim();
    if (text && task.goal.includes(`"${text}"`)) {
      await link.click();
      await page.waitForLoadState();
      return { status: "done", answer: task.wants_answer ? text : null };
    }
  }
  return { status: "blocked", reason: `nothing on ${page.url()} has a name that the goal quotes` };
}

const reply = await act();
await browser.close(); // over CDP this only disconnects
console.log(JSON.stringify(reply)); // the last line is the reply
