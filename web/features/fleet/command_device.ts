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

/** Tells a phone's site what to do with it, waits for its answer, and says how it went. */
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

/** The server ends every command within minutes, by the site's word or without it. */
async function untilAnswered(command: DeviceCommand): Promise<DeviceCommand> {
  let latest = command;
  while (latest.status === "waiting") {
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    latest = await apiJson<DeviceCommand>("GET", `/api/admin/commands/${command.id}`);
  }
  return latest;
}
