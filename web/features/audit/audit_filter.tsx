import { useId } from "react";
import type { User } from "shared/http_api.ts";
import { AUDIT } from "./text.ts";
import { ADMIN_COMMON } from "../../text/admin_shell.ts";
import { DayField } from "../../ui/day_field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { type AuditChoice, daysProblem } from "./get_audit.ts";

const GROUPS = (Object.keys(AUDIT.groups) as AuditChoice["group"][])
  .map((value) => ({ value, label: AUDIT.groups[value] }));

interface AuditFilterProps {
  choice: AuditChoice;
  users: readonly Pick<User, "id" | "username">[];
  onChoose: (choice: AuditChoice) => void;
}

/** Filters audit rows by subject, by user, and between two days. */
export function AuditFilter({ choice, users, onChoose }: AuditFilterProps) {
  const actorId = useId();
  return (
    <div className="mb-4 grid gap-3">
      <Segments
        label={ADMIN_COMMON.filter}
        options={GROUPS}
        chosen={choice.group}
        onChoose={(group) => onChoose({ ...choice, group })}
      />
      <div className="flex flex-wrap gap-3">
        <div className="w-full sm:w-56">
          <label htmlFor={actorId} className="mb-1 block text-sm font-semibold">{AUDIT.actor}</label>
          <select
            id={actorId}
            className="select w-full"
            value={choice.actor}
            onChange={(event) => onChoose({ ...choice, actor: event.currentTarget.value })}
          >
            <option value="">{AUDIT.anyone}</option>
            {users.map(({ id, username }) => <option key={id} value={id}>{username}</option>)}
          </select>
        </div>
        <DayField
          label={AUDIT.from}
          value={choice.from}
          onChange={(from) => onChoose({ ...choice, from })}
        />
        <DayField
          label={AUDIT.to}
          value={choice.to}
          error={daysProblem(choice) === "backwards" ? AUDIT.days.backwards : undefined}
          onChange={(to) => onChoose({ ...choice, to })}
        />
      </div>
    </div>
  );
}
