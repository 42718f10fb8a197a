import { queryOptions } from "@tanstack/react-query";
import type { AdbStatus } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** Poll interval of open fleet screens. */
export const FLEET_REFRESH_MS = 5000;

export type AdbDevice = AdbStatus["devices"][number];

/** Every phone of every site with its accounts. */
export const adbStatusQuery = queryOptions({
  queryKey: ["/api/devices/adb-status"],
  queryFn: readByKey<AdbStatus>(),
  refetchInterval: FLEET_REFRESH_MS,
});
