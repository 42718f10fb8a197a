/** Part of `deno task ok`: fails on a high or critical advisory, and warns when the registry cannot be reached. */
import { askAdvisories } from "./ask_advisories.ts";

const { kind, message } = await askAdvisories();
const line = kind === "no answer"
  ? `Advisories NOT looked at, the registry gave none: ${message} (docs/decisions/007-dependencies.md)`
  : message;
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
if (kind === "flawed") Deno.exit(1);
