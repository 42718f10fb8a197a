/** The permissions of the processes that a test starts, read from the tasks that an operator runs. */
import config from "../../deno.json" with { type: "json" };

export const EDGE_PERMISSIONS = permissionsOf(config.tasks.edge);
export const AGENT_PERMISSIONS = permissionsOf(config.tasks.agent);

function permissionsOf(task: string): string[] {
  return task.split(" ").filter((word) => word.startsWith("--allow-"));
}
