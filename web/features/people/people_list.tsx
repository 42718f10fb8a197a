import { useQuery } from "@tanstack/react-query";
import { TimerReset, UserPlus, UserX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { GIVEN_DUTIES, type GivenDuty } from "shared/duty.ts";
import type { Person } from "shared/people_api.ts";
import { DUTY_NAMES } from "../../text/duties.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { EmptyBox } from "../../ui/empty_box.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { isFocusLost } from "../../ui/lost_focus.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useChangePerson } from "./change_people.ts";
import { peopleQuery } from "./get_people.ts";
import { PersonRow } from "./person_row.tsx";
import { PEOPLE } from "./text.ts";

/** The people of the owner's account, each with a duty to choose, and a removal after a question. */
export function PeopleList({ now }: { now: number }) {
  const people = useQuery(peopleQuery);
  const [removing, setRemoving] = useState<Person>();
  const remove = useChangePerson(() => setRemoving(undefined));
  const heading = useRef<HTMLHeadingElement>(null);
  const found = people.data?.people;
  const waiting = found?.filter(({ waits }) => waits).length ?? 0;
  useEffect(() => {
    // The button that asked is gone together with its person.
    if (remove.isSuccess && removing === undefined && isFocusLost()) heading.current?.focus();
  }, [removing]);
  return (
    <section className="sheet min-w-0 overflow-hidden" aria-labelledby="people-h">
      <h2
        ref={heading}
        id="people-h"
        tabIndex={-1}
        className="border-b border-base-300 px-5 py-4 text-lg font-bold"
      >
        {PEOPLE.list}
      </h2>
      {waiting > 0 && (
        <Notice
          tone="warn"
          icon={TimerReset}
          lead={PEOPLE.waitingLead(waiting)}
          body={PEOPLE.waitingBody}
          className="m-5"
        />
      )}
      {found
        ? (
          <ul aria-label={PEOPLE.region} className="divide-y divide-base-300">
            {found.map((person) => (
              <PersonRow key={person.id} person={person} now={now}>
                <Acts person={person} onRemove={() => setRemoving(person)} />
              </PersonRow>
            ))}
          </ul>
        )
        : (
          <div className="p-5">
            {people.isError
              ? <FailedBox title={PEOPLE.failed} error={people.error} onRetry={people.refetch} />
              : <Skeleton text={PEOPLE.loading} rows={3} />}
          </div>
        )}
      {found?.length === 1 && (
        <div className="border-t border-base-300 p-5">
          <EmptyBox icon={UserPlus} title={PEOPLE.alone} />
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title={PEOPLE.removeTitle(removing.username)}
          confirm={PEOPLE.remove}
          busyText={PEOPLE.removing}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ act: "remove", id: removing.id })}
          onClose={() => setRemoving(undefined)}
        >
          {PEOPLE.removeEffect}
        </ConfirmDialog>
      )}
    </section>
  );
}

function Acts({ person: { id, username, duty, waits }, onRemove }: { person: Person; onRemove: () => void }) {
  const change = useChangePerson();
  return (
    <div className="flex flex-wrap items-center gap-2">
      {waits && (
        <BusyButton
          className="btn-sm btn-primary"
          busy={change.isPending}
          busyText={PEOPLE.confirm}
          aria-label={PEOPLE.confirmOf(username)}
          onClick={() => change.mutate({ act: "confirm", id })}
        >
          {PEOPLE.confirm}
        </BusyButton>
      )}
      <select
        className="select select-sm w-40"
        aria-label={PEOPLE.dutyOf(username)}
        aria-busy={change.isPending || undefined}
        value={duty}
        onChange={(event) => {
          const chosen = event.currentTarget.value as GivenDuty;
          if (!change.isPending) change.mutate({ act: "duty", id, duty: chosen });
        }}
      >
        {GIVEN_DUTIES.map((given) => <option key={given} value={given}>{DUTY_NAMES[given]}</option>)}
      </select>
      <button
        type="button"
        className="btn btn-ghost btn-sm border-base-300 tone-bad text-tone"
        aria-label={PEOPLE.removeOf(username)}
        onClick={onRemove}
      >
        <UserX className="size-4" />
        {PEOPLE.remove}
      </button>
    </div>
  );
}
