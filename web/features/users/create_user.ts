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
}

/** Creates a user of either role and fetches the list again. */
export function useCreateUser(onCreated: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (user: NewUser) =>
      withProof((proof) => apiJson<User>("POST", "/api/users", { body: { ...user, ...proof } })),
    onSuccess: ({ username }) => {
      showToast({ title: USERS.createdTitle, description: USERS.created(username), tone: "ok" });
      onCreated();
      return cache.invalidateQueries({ queryKey: usersQuery.queryKey, exact: true });
    },
    onError: (error) => showFailure(USERS.createFailedTitle, error, USERS.createFailed),
  });
}
