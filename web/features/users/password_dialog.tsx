import { type FormEvent, useRef, useState } from "react";
import type { User } from "shared/http_api.ts";
import { USER_ACTS } from "./text.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { MIN_PASSWORD_CHARS, useChangeUser } from "./change_user.ts";

/** Sets a user's new password, which ends that user's sessions. */
export function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [isShort, setShort] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const change = useChangeUser(onClose);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    if (password.length >= MIN_PASSWORD_CHARS) {
      return change.mutate({ user, change: { password, firstPassword: true } });
    }
    setShort(true);
    field.current?.focus();
  }

  return (
    <Dialog title={USER_ACTS.passwordTitle(user.username)} onClose={onClose}>
      <p className="mb-4 text-sm">{USER_ACTS.passwordEffect}</p>
      <form noValidate onSubmit={submit}>
        <Field
          label={USER_ACTS.password}
          error={isShort ? USER_ACTS.passwordShort : undefined}
          inputRef={field}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(value) => {
            setPassword(value);
            setShort(false);
          }}
        />
        <DialogFoot onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary"
            busy={change.isPending}
            busyText={USER_ACTS.settingPassword}
          >
            {USER_ACTS.setPassword}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
