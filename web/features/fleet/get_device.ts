import { queryOptions } from "@tanstack/react-query";
import type { DeviceDetail } from "shared/admin_api.ts";
import { ApiError, readByKey } from "../../data/api_client.ts";
import { FLEET_REFRESH_MS } from "./get_adb_status.ts";

/** One phone with all its facts, polled while it is on the screen unless it does not exist. */
export function deviceQuery(id: number) {
  return queryOptions({
    queryKey: ["/api/admin/devices", id],
    queryFn: readByKey<DeviceDetail>(),
    refetchInterval: ({ state }) => isMissing(state.error) ? false : FLEET_REFRESH_MS,
  });
}

/** Returns whether the device does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
