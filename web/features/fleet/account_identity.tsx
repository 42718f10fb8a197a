import { BadgeCheck, CircleDashed, Pencil } from "lucide-react";
import { useState } from "react";
import type { DeviceDetail } from "shared/admin_api.ts";
import { appName, DEVICE } from "../../text/admin_devices.ts";
import { formatDate } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Num } from "../../ui/num.tsx";
import { Phone } from "../../ui/phone.tsx";
import { useEditAccount } from "./edit_account.ts";
import { LabelDialog } from "./label_dialog.tsx";

/** Shows an account's identity: the phone's report, and the administrators' label. */
export function AccountIdentity({ account }: { account: DeviceDetail["accounts"][number] }) {
  const { label, userKind, ownNumber, whatsappVersion, firstInstalledAt, captions, screensSeen, confirmed } =
    account;
  const edit = useEditAccount(account.id);
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-3">
        {label && <bdi>{appName(account.account)}</bdi>}
        {ownNumber && <Phone e164={ownNumber} />}
        {userKind && <span>{DEVICE.userKinds[userKind]}</span>}
        {whatsappVersion && <Num>{whatsappVersion}</Num>}
        {firstInstalledAt !== null && <span>{DEVICE.installed(formatDate(firstInstalledAt))}</span>}
        {captions !== null && <span>{DEVICE.captions(captions)}</span>}
        {screensSeen === false && <span className="tone-warn text-tone">{DEVICE.screensUnseen}</span>}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {confirmed
          ? <Mark tone="ok" icon={BadgeCheck} label={DEVICE.confirmed} />
          : <Mark tone="idle" icon={CircleDashed} label={DEVICE.notConfirmed} />}
        <BusyButton
          className="btn-ghost btn-sm border-base-300"
          busy={edit.isPending}
          busyText={DEVICE.confirming}
          onClick={() => edit.mutate({ confirmed: !confirmed })}
        >
          {confirmed ? DEVICE.unconfirm : DEVICE.confirm}
        </BusyButton>
        <button
          type="button"
          className="btn btn-ghost btn-sm border-base-300"
          onClick={() => setNaming(true)}
        >
          <Pencil className="size-4" />
          {DEVICE.label}
        </button>
      </div>
      {isNaming && <LabelDialog account={account} onClose={() => setNaming(false)} />}
    </>
  );
}
