import { queryOptions } from "@tanstack/react-query";
import type { People } from "shared/people_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** The people of the viewer's account, for its owner. */
export const peopleQuery = queryOptions({
  queryKey: ["/api/people"],
  queryFn: readByKey<People>(),
  staleTime: 0,
});

/** The people of a client's account, for administrators. */
export function clientPeopleQuery(client: number) {
  return queryOptions({
    queryKey: ["/api/admin/users", client, "people"],
    queryFn: readByKey<People>(),
    staleTime: 0,
  });
}
