import { CircleAlert, Image as ImageIcon, X } from "lucide-react";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { type CampaignKind, type DeclaredKind, MAX_MESSAGE_CHARS, MAX_NAME_CHARS } from "shared/campaign.ts";
import type { Campaign } from "shared/http_api.ts";
import { CREATE } from "./text/client_home.ts";
import { lazyPart } from "../../ui/lazy_part.tsx";
import { showToast } from "../../ui/toast_store.ts";
import { imageProblem } from "./image_file.ts";
import { KindField } from "./kind_field.tsx";
import { MessageBubble } from "./message_bubble.tsx";

const AdvertPreview = lazyPart(async () => (await import("./advert_preview.tsx")).AdvertPreview);
const PersonalHelp = lazyPart(async () => (await import("./personal_help.tsx")).PersonalHelp, {
  isQuiet: true,
});

interface MessageFieldsProps {
  name: string;
  message: string;
  kind: CampaignKind | "";
  onChange: (words: { name?: string; message?: string; kind?: DeclaredKind }) => void;
  /** True after a failed try; shows a message under each missing field. */
  tried: boolean;
  /** Blocks changes during the request. */
  isBusy: boolean;
  /** The campaign's present image, unless it is to be removed. */
  imageUrl?: string | null;
  /** A newly chosen image, which replaces it. */
  image: { file: File | undefined; onFile: (file: File | undefined) => void };
  /** Removes the campaign's present image. */
  onImageGone?: () => void;
  /** The saved campaign whose words these are; absent before it is created. */
  campaign?: Campaign;
}

/** Fields for name, text and image, and the message as its reader will see it. */
export function MessageFields(
  { name, message, kind, onChange, tried, isBusy, imageUrl, image, onImageGone, campaign }:
    MessageFieldsProps,
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [sample, setSample] = useState<string>();
  const hasHelp = campaign !== undefined || message.includes("{{");
  const fileUrl = useObjectUrl(image.file);
  const shownUrl = fileUrl ?? imageUrl;
  const Bubble = kind === "marketing" ? AdvertPreview : MessageBubble;
  const nameMissing = tried && !name.trim();
  const messageMissing = tried && !message.trim();
  return (
    <>
      <div>
        <label htmlFor="c-name" className="mb-1 block text-sm font-semibold">{CREATE.name}</label>
        <input
          id="c-name"
          className={`input w-full ${nameMissing ? "input-error" : ""}`}
          placeholder={CREATE.namePlaceholder}
          maxLength={MAX_NAME_CHARS}
          value={name}
          readOnly={isBusy}
          aria-invalid={nameMissing || undefined}
          aria-describedby={nameMissing ? "c-name-e" : undefined}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        {nameMissing && <FieldError id="c-name-e" text={CREATE.missingName} />}
      </div>
      <KindField
        kind={kind}
        onChange={(declared) => onChange({ kind: declared })}
        isMissing={tried && kind !== "marketing" && kind !== "service"}
      />
      <div>
        <label htmlFor="c-msg" className="mb-1 block text-sm font-semibold">{CREATE.message}</label>
        <textarea
          id="c-msg"
          ref={field}
          className={`textarea w-full [unicode-bidi:plaintext] ${messageMissing ? "textarea-error" : ""}`}
          rows={4}
          maxLength={MAX_MESSAGE_CHARS}
          value={message}
          readOnly={isBusy}
          aria-invalid={messageMissing || undefined}
          aria-describedby={`${messageMissing ? "c-msg-e " : ""}c-msg-hint${hasHelp ? " c-msg-p" : ""}`}
          onChange={(event) => onChange({ message: event.currentTarget.value })}
        />
        {messageMissing && <FieldError id="c-msg-e" text={CREATE.missingMessage} />}
        <p className="mt-1 text-xs text-ink-3" id="c-msg-hint">
          {CREATE.chars(message.length, MAX_MESSAGE_CHARS)}
        </p>
        {!campaign && <p className="mt-1 text-xs text-ink-2">{CREATE.personalHint}</p>}
        {hasHelp && (
          <PersonalHelp
            id="c-msg-p"
            campaign={campaign}
            message={message}
            onMessage={(written) => onChange({ message: written })}
            field={field}
            isBusy={isBusy}
            onSample={setSample}
          />
        )}
      </div>
      <ImageField {...image} onGone={imageUrl ? onImageGone : undefined} />
      <div className="rounded-field bg-base-200 p-3">
        <div className="eyebrow mb-2">{sample === undefined ? CREATE.preview : CREATE.previewOfFirst}</div>
        {message.trim() || shownUrl
          ? (
            <Bubble
              message={sample ?? message}
              image={shownUrl ? { url: shownUrl, label: CREATE.imagePreview } : undefined}
            />
          )
          : <p className="text-sm text-ink-3">{CREATE.previewEmpty}</p>}
      </div>
    </>
  );
}

interface ImageFieldProps {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
  /** Absent when there is no earlier image to remove. */
  onGone?: () => void;
}

function ImageField({ file, onFile, onGone }: ImageFieldProps) {
  function choose(event: ChangeEvent<HTMLInputElement>) {
    const chosen = event.currentTarget.files?.[0];
    event.currentTarget.value = "";
    if (!chosen) return;
    const problem = imageProblem(chosen);
    if (problem) showToast({ title: CREATE.imageRefusedTitle, description: problem, tone: "bad" });
    else onFile(chosen);
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <label className="btn btn-sm btn-secondary has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
        <ImageIcon className="size-4" />
        {file || onGone ? CREATE.changeImage : CREATE.chooseImage}
        <input type="file" accept="image/*" className="sr-only" onChange={choose} />
      </label>
      {file
        ? (
          <span className="inline-flex min-w-0 items-center gap-1 text-sm">
            <bdi dir="ltr" className="wrap-anywhere">{file.name}</bdi>
            <button
              type="button"
              className="btn btn-ghost btn-square btn-sm"
              aria-label={CREATE.removeImage}
              onClick={() => onFile(undefined)}
            >
              <X className="size-4" />
            </button>
          </span>
        )
        : onGone
        ? (
          <button type="button" className="btn btn-ghost btn-sm" onClick={onGone}>
            <X className="size-4" />
            {CREATE.removeImage}
          </button>
        )
        : <span className="text-xs text-ink-3">{CREATE.imageHint}</span>}
    </div>
  );
}

function FieldError({ id, text }: { id: string; text: string }) {
  return (
    <p id={id} className="tone-bad mt-1 flex items-center gap-1.5 text-sm text-tone">
      <CircleAlert className="size-4" />
      {text}
    </p>
  );
}

/** Returns a blob: address of the file, valid while it is shown. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
