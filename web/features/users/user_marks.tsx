import { KeyRound, Lock, ShieldEllipsis, User as UserIcon } from "lucide-react";
import type { User } from "shared/http_api.ts";
import { DUTY_NAMES } from "../../text/duties.ts";
import { USERS } from "./text.ts";
import { Mark } from "../../ui/mark.tsx";

/** The role badge; before it 'מושבת' for a disabled user, after it a mark when the login needs a code. */
export function UserMarks({ user }: { user: User }) {
  return (
    <>
      {user.disabled && <Mark tone="idle" icon={Lock} label={USERS.disabled} />}
      {user.role === "admin" ? <Mark tone="live" icon={KeyRound} label={USERS.roles.admin} /> : (
        <Mark
          tone="idle"
          icon={UserIcon}
          label={user.colleague ? DUTY_NAMES[user.colleague.duty] : USERS.roles.client}
        />
      )}
      {user.secondFactor && <Mark tone="ok" icon={ShieldEllipsis} label={USERS.secondFactor} />}
    </>
  );
}
