import { useQuery } from "@tanstack/react-query";
import type { User } from "shared/http_api.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { DUTY_NAMES } from "../../text/duties.ts";
import { formatMoment } from "../../text/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FailedBox } from "../../ui/failed_box.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useNow } from "../../ui/use_now.ts";
import { clientPeopleQuery } from "./get_people.ts";
import { PersonRow } from "./person_row.tsx";
import { CLIENT_PEOPLE, INVITE, PEOPLE } from "./text.ts";

const MINUTE_MS = 60_000;

/** An administrator's view of a client's people and open invitations. */
export function ClientPeople({ client, onClose }: { client: User; onClose: () => void }) {
  const people = useQuery(clientPeopleQuery(client.id));
  const now = useNow(MINUTE_MS);
  return (
    <Dialog title={CLIENT_PEOPLE.title(client.username)} onClose={onClose}>
      {people.data
        ? (
          <>
            <ul aria-label={PEOPLE.region} className="-mx-5 divide-y divide-base-300">
              {people.data.people.map((person) => <PersonRow key={person.id} person={person} now={now} />)}
            </ul>
            {people.data.people.length === 1 && (
              <p className="mt-3 text-sm text-ink-2">{CLIENT_PEOPLE.alone}</p>
            )}
            {people.data.invitations.length > 0 && (
              <>
                <h3 className="mt-4 font-bold">{INVITE.open}</h3>
                <ul aria-label={INVITE.open} className="text-sm">
                  {people.data.invitations.map(({ id, label, duty, expiresAt }) => (
                    <li key={id} className="py-1 wrap-anywhere">
                      {label} · {DUTY_NAMES[duty]} · {INVITE.until(formatMoment(expiresAt, now))}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )
        : people.isError
        ? <FailedBox title={PEOPLE.failed} error={people.error} onRetry={people.refetch} />
        : <Skeleton text={PEOPLE.loading} rows={3} />}
      <button type="button" className="btn btn-ghost mt-4 border-base-300" onClick={onClose}>
        {ADMIN_COMMON.close}
      </button>
    </Dialog>
  );
}
