import { CircleAlert } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { SavedSettings } from "shared/admin_api.ts";
import type { Settings } from "shared/settings.ts";
import { DANGER, LEAVE, SETTINGS } from "./text.ts";
import { formatNumber } from "../../text/format.ts";
import { BusyButton } from "../../ui/busy_button.tsx";
import { ConfirmDialog } from "../../ui/confirm_dialog.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { useLeaveGuard } from "../../ui/use_leave_guard.ts";
import { useSaveSettings } from "./save_settings.ts";
import { NumberRow, SwitchRow } from "./setting_rows.tsx";
import {
  changedKeys,
  draftOf,
  isDangerous,
  type NumberKey,
  numberProblem,
  type SettingsDraft,
  settingsOf,
  STANDARD,
  type SwitchKey,
  warningOf,
} from "./settings_draft.ts";

/** The cards of settings and the save bar; asks before unsaved changes are lost. */
export function SettingsForm({ saved: { settings: saved } }: { saved: SavedSettings }) {
  // Keep only this person's changes here: all other fields follow the saves of others.
  const [edits, setEdits] = useState<Partial<SettingsDraft>>({});
  const draft: SettingsDraft = { ...draftOf(saved), ...edits };
  const changed = changedKeys(draft, saved);
  const [isAsking, setAsking] = useState(false);
  const save = useSaveSettings(() => setEdits({}));
  const settings = settingsOf(draft);
  const dangerous = settings ? changed.filter((key) => isDangerous(key, settings[key])) : [];
  const guard = useLeaveGuard(changed.length > 0);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending) return;
    if (!settings) showToast({ title: SETTINGS.invalidTitle, description: SETTINGS.invalid, tone: "bad" });
    else if (dangerous.length > 0) setAsking(true);
    else saveChanges(settings);
  }

  function saveChanges(settings: Settings) {
    setAsking(false);
    save.mutate(Object.fromEntries(changed.map((key) => [key, settings[key]])));
  }

  const numberRow = (setting: NumberKey) => (
    <NumberRow
      setting={setting}
      label={SETTINGS[setting]}
      hint={SETTINGS[`${setting}Hint`]}
      unit={SETTINGS[`${setting}Unit`]}
      value={draft[setting]}
      was={changed.includes(setting) ? formatNumber(saved[setting]) : undefined}
      error={numberProblem(setting, draft[setting])}
      warning={warningOf(setting, Number(draft[setting] || NaN))}
      onChange={(value) => setEdits({ ...edits, [setting]: value })}
    />
  );
  const switchRow = (setting: SwitchKey) => (
    <SwitchRow
      setting={setting}
      label={SETTINGS[setting]}
      hint={SETTINGS[`${setting}Hint`]}
      isOn={draft[setting]}
      warning={warningOf(setting, draft[setting])}
      was={changed.includes(setting) ? (saved[setting] ? SETTINGS.on : SETTINGS.off) : undefined}
      onChange={(isOn) => setEdits({ ...edits, [setting]: isOn })}
    />
  );

  return (
    <form className="max-w-[1080px]" noValidate onSubmit={submit}>
      <div className="gap-4 *:mb-4 *:break-inside-avoid xl:columns-2">
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="general">
          <h2 id="general" className="text-lg font-bold">{SETTINGS.general}</h2>
          <div className="divide-y divide-base-300">
            {switchRow("enableNotifications")}
            {numberRow("rateLimit")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="anti-ban">
          <h2 id="anti-ban" tabIndex={-1} className="scroll-mt-20 text-lg font-bold">{SETTINGS.antiBan}</h2>
          <div className="divide-y divide-base-300">
            {numberRow("maxMessagesPerDay")}
            {switchRow("warmupEnabled")}
            {numberRow("hourlyPercent")}
            {numberRow("unconfirmedPerDay")}
            {switchRow("autoFailover")}
            {switchRow("stickySender")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="lawful">
          <h2 id="lawful" className="text-lg font-bold">{SETTINGS.lawful}</h2>
          <div className="divide-y divide-base-300">
            {switchRow("sendingHoursEnforced")}
            {switchRow("serviceHoursEnforced")}
            {numberRow("sendingOpensAt")}
            {numberRow("sendingClosesAt")}
            {numberRow("fridayClosesAt")}
            {numberRow("frequencyCapDays")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="breaker">
          <h2 id="breaker" className="text-lg font-bold">{SETTINGS.breaker}</h2>
          <div className="divide-y divide-base-300">
            {numberRow("breakerFailedPercent")}
            {numberRow("breakerUnknownPercent")}
            {numberRow("breakerOptOutPercent")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="clients">
          <h2 id="clients" className="text-lg font-bold">{SETTINGS.clients}</h2>
          <div className="divide-y divide-base-300">
            {numberRow("maxContactsPerClient")}
            {numberRow("approvalFrom")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="privacy">
          <h2 id="privacy" className="text-lg font-bold">{SETTINGS.privacy}</h2>
          <div className="divide-y divide-base-300">
            {numberRow("retentionDays")}
            {numberRow("contactsKeptDays")}
          </div>
        </section>
        <section className="sheet px-6 pt-5 pb-2" aria-labelledby="security">
          <h2 id="security" className="text-lg font-bold">{SETTINGS.security}</h2>
          <div className="divide-y divide-base-300">{switchRow("adminsNeedSecondFactor")}</div>
        </section>
      </div>
      <SaveBar count={changed.length} isSaving={save.isPending} onCancel={() => setEdits({})} />
      {isAsking && settings && (
        <ConfirmDialog
          title={DANGER.title}
          confirm={DANGER.confirm}
          busyText={SETTINGS.saving}
          busy={save.isPending}
          onConfirm={() => saveChanges(settings)}
          onClose={() => setAsking(false)}
        >
          <ul className="list-disc ps-5">
            {dangerous.map((key) => <li key={key}>{dangerText(key, settings[key])}</li>)}
          </ul>
        </ConfirmDialog>
      )}
      {guard.isAsking && (
        <ConfirmDialog
          title={LEAVE.title}
          confirm={LEAVE.leave}
          busyText={LEAVE.leave}
          busy={false}
          leave={LEAVE.stay}
          onConfirm={guard.leave}
          onClose={guard.stay}
        >
          {LEAVE.body(changed.length)}
        </ConfirmDialog>
      )}
    </form>
  );
}

/** "תקרה יומית למכשיר: 2,500 הודעות, במקום 250 המומלצות." */
function dangerText(key: keyof Settings, value: Settings[keyof Settings]): string {
  if (typeof value === "boolean") return DANGER.hoursOff;
  const danger = DANGER.dangers[key] ?? DANGER.bans;
  return DANGER.tenfold(SETTINGS[key], formatNumber(value), formatNumber(Number(STANDARD[key])), danger);
}

interface SaveBarProps {
  /** Number of unsaved settings. */
  count: number;
  isSaving: boolean;
  onCancel: () => void;
}

/** Save and cancel, always rendered; sticky on a dark deck while there are unsaved changes. */
function SaveBar({ count, isSaving, onCancel }: SaveBarProps) {
  const isDirty = count > 0;
  return (
    <div className={isDirty ? "sticky bottom-4 z-10 mt-6" : "mt-6"}>
      <div
        className={`flex flex-wrap items-center gap-3 rounded-box px-5 py-3 ${
          isDirty ? "deck" : "border border-base-300"
        }`}
      >
        <span className="me-auto inline-flex w-full items-center gap-2 text-sm sm:w-auto" role="status">
          {isDirty && <CircleAlert className="size-4 text-accent" />}
          {isDirty ? SETTINGS.unsaved(count) : SETTINGS.noChanges}
        </span>
        <BusyButton
          type="submit"
          className={isDirty ? "btn-accent" : "btn-secondary"}
          busy={isSaving}
          busyText={SETTINGS.saving}
        >
          {SETTINGS.save}
        </BusyButton>
        <button
          type="button"
          className={`btn btn-ghost ${isDirty ? "deck-btn" : "border-base-300"}`}
          onClick={onCancel}
        >
          {SETTINGS.cancel}
        </button>
      </div>
    </div>
  );
}
