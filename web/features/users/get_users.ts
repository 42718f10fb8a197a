import { queryOptions } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { readByKey } from "../../data/api_client.ts";

/** Every user. */
export const usersQuery = queryOptions({ queryKey: ["/api/users"], queryFn: readByKey<User[]>() });
