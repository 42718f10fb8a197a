import { queryOptions } from "@tanstack/react-query";
import type { SavedSettings } from "shared/admin_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The settings as last saved. */
export const settingsQuery = queryOptions({
  queryKey: ["/api/admin/settings"],
  queryFn: readByKey<SavedSettings>(),
});
