import { type FormEvent, useState } from "react";
import type { DeviceDetail } from "shared/admin_api.ts";
import { appName, DEVICE } from "../../text/admin_devices.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogFoot } from "../../ui/dialog_foot.tsx";
import { Field } from "../../ui/field.tsx";
import { useEditAccount } from "./edit_account.ts";

const MAX_LABEL_CHARS = 60;

interface LabelDialogProps {
  account: DeviceDetail["accounts"][number];
  onClose: () => void;
}

/** Sets an account's label. */
export function LabelDialog({ account, onClose }: LabelDialogProps) {
  const [label, setLabel] = useState(account.label);
  const edit = useEditAccount(account.id, onClose);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!edit.isPending) edit.mutate({ label: label.trim() });
  }

  return (
    <Dialog title={DEVICE.labelTitle(appName(account.account))} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Field
          label={DEVICE.labelField}
          hint={DEVICE.labelHint}
          maxLength={MAX_LABEL_CHARS}
          autoComplete="off"
          value={label}
          onChange={setLabel}
        />
        <DialogFoot onLeave={onClose}>
          <BusyButton
            type="submit"
            className="btn-primary"
            busy={edit.isPending}
            busyText={DEVICE.confirming}
          >
            {DEVICE.labelSave}
          </BusyButton>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
