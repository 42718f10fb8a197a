import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DeviceCommand } from "shared/admin_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { BULK, DEVICE_ACTS } from "../../text/admin_devices.ts";
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
      await untilAnswered(
        await apiJson<DeviceCommand>("POST", `/api/admin/devices/${deviceId}/${kind}`, { once: true }),
      ),
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

/** Commands under way at once: far below the calls that a person may make. */
const AT_ONCE = 6;

interface BulkOrder {
  devices: readonly { id: number }[];
  kind: CommandKind;
  /** Called after each device. */
  onProgress: (done: number) => void;
}

/** Sends one command to several phones, a few at a time; returns the ids of those where it was not done. */
export function useCommandDevices() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ devices, kind, onProgress }: BulkOrder): Promise<number[]> => {
      const waiting = [...devices];
      const failed: number[] = [];
      let done = 0;
      const work = async () => {
        for (let device = waiting.shift(); device !== undefined; device = waiting.shift()) {
          try {
            const path = `/api/admin/devices/${device.id}/${kind}`;
            const { status } = await untilAnswered(
              await apiJson<DeviceCommand>("POST", path, { once: true }),
            );
            if (status !== "done") failed.push(device.id);
          } catch {
            failed.push(device.id);
          }
          onProgress(++done);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return failed;
    },
    onSuccess: (failed, { devices }) => {
      const done = devices.length - failed.length;
      if (failed.length === 0) showToast({ title: BULK.doneTitle, description: BULK.done(done), tone: "ok" });
      else showToast({ title: BULK.partTitle, description: BULK.part(done, failed.length), tone: "bad" });
      return cache.invalidateQueries();
    },
  });
}
