import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Role, User } from "shared/http_api.ts";
import { apiJson } from "../../data/api_client.ts";
import { USERS } from "./text.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { withProof } from "../../data/with_proof.ts";
import { usersQuery } from "./get_users.ts";

export interface NewUser {
  username: string;
  password: string;
  role: Role;
  /** True when the password is valid for one week and only for choosing another one. */
  firstPassword: boolean;
  /** The quota that a client starts with. */
  messageQuota: number;
}

/** Creates a user of either role and fetches the list again; `onCreated` runs when the list has the new row. */
export function useCreateUser(onCreated: (user: User) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (user: NewUser) =>
      withProof((proof) => apiJson<User>("POST", "/api/users", { body: { ...user, ...proof }, once: true })),
    onSuccess: async (user) => {
      const { username } = user;
      showToast({ title: USERS.createdTitle, description: USERS.created(username), tone: "ok" });
      await cache.invalidateQueries({ queryKey: usersQuery.queryKey, exact: true });
      onCreated(user);
    },
    onError: (error) => showFailure(USERS.createFailedTitle, error, USERS.createFailed),
  });
}
