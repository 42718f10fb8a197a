import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeviceCommand } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { DEVICE_ACTS } from "../../text/admin_devices.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";

export type CommandKind = DeviceCommand["kind"];

export interface DeviceOrder {
  deviceId: number;
  kind: CommandKind;
}

const ASK_EVERY_MS = 1000;

/** Sends a command for a phone to its site, waits for the result, and shows it. */
export function useCommandDevice() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ deviceId, kind }: DeviceOrder) =>
      await untilAnswered(await apiJson<DeviceCommand>("POST", `/api/admin/devices/${deviceId}/${kind}`)),
    onSuccess: ({ kind, status, detail }) => {
      if (status === "done") {
        showToast({ title: DEVICE_ACTS.done[kind], description: detail ?? undefined, tone: "ok" });
      } else {
        const fallback = status === "timed_out" ? DEVICE_ACTS.timedOut : DEVICE_ACTS.siteFailed;
        showToast({ title: DEVICE_ACTS.failed, description: detail ?? fallback, tone: "bad" });
      }
      return cache.invalidateQueries();
    },
    onError: (error) => showFailure(DEVICE_ACTS.failed, error, DEVICE_ACTS.refused),
  });
}

/** Polls until the end: the server ends every command within minutes, with or without the site's reply. */
async function untilAnswered(command: DeviceCommand): Promise<DeviceCommand> {
  let latest = command;
  while (latest.status === "waiting") {
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    latest = await apiJson<DeviceCommand>("GET", `/api/admin/commands/${command.id}`);
  }
  return latest;
}
