import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { GivenDuty } from "shared/duty.ts";
import type { Invited } from "shared/people_api.ts";
import { apiJson, apiRequest } from "../../data/api_client.ts";
import { unlessDeclined } from "../../data/proof_declined_error.ts";
import { withProof } from "../../data/with_proof.ts";
import { showFailure } from "../../ui/show_failure.ts";
import { showToast } from "../../ui/toast_store.ts";
import { peopleQuery } from "./get_people.ts";
import { INVITE, PEOPLE } from "./text.ts";

export type PersonAct =
  | { act: "duty"; id: number; duty: GivenDuty }
  | { act: "confirm"; id: number }
  | { act: "remove"; id: number }
  | { act: "withdraw"; id: number };

const DONE = {
  duty: PEOPLE.dutyChanged,
  confirm: PEOPLE.confirmed,
  remove: PEOPLE.removed,
  withdraw: INVITE.withdrawn,
};

/** Changes a person or an invitation, then reads the list again. Calls `onDone` after success or failure. */
export function useChangePerson(onDone: () => void = () => {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: PersonAct) => {
      const path = `/api/people/${asked.id}`;
      if (asked.act === "remove") return apiRequest("DELETE", path);
      if (asked.act === "withdraw") return apiRequest("DELETE", `/api/invitations/${asked.id}`);
      if (asked.act === "confirm") {
        return withProof((proof) => apiRequest("POST", `${path}/confirm`, { body: { ...proof } }));
      }
      return withProof((proof) => apiRequest("PATCH", path, { body: { duty: asked.duty, ...proof } }));
    },
    onSuccess: (_, { act }) => {
      showToast({ title: DONE[act], tone: "ok" });
    },
    onError: (error) => showFailure(PEOPLE.failedAct, error, PEOPLE.failedActBody),
    onSettled: unlessDeclined(() => {
      onDone();
      return cache.invalidateQueries({ queryKey: peopleQuery.queryKey });
    }),
  });
}

/** Makes an invitation; `onMade` gets its link's token, which is shown once. */
export function useInvite(onMade: (invited: Invited) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (invited: { label: string; duty: GivenDuty }) =>
      withProof((proof) =>
        apiJson<Invited>("POST", "/api/invitations", { body: { ...invited, ...proof }, once: true })
      ),
    onSuccess: (invited) => {
      onMade(invited);
      return cache.invalidateQueries({ queryKey: peopleQuery.queryKey });
    },
    onError: (error) => showFailure(INVITE.failed, error, PEOPLE.failedActBody),
  });
}
