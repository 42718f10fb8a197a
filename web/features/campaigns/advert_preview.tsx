import { useQuery } from "@tanstack/react-query";
import { Megaphone, TriangleAlert } from "lucide-react";
import { Link } from "react-router-dom";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";
import { composeMarketing } from "shared/marketing.ts";
import { sampleRemovalLink } from "shared/removal_address.ts";
import { PATHS } from "../../paths.ts";
import { ADVERT } from "./text/advert.ts";
import { ACTS } from "../../text/acts.ts";
import { BEYOND_DUTY } from "../../text/duties.ts";
import { useMayDo } from "../../ui/may_do.ts";
import { Notice } from "../../ui/notice.tsx";
import { profileQuery } from "./get_profile.ts";
import { MessageBubble } from "./message_bubble.tsx";

interface AdvertPreviewProps {
  message: string;
  image?: { url: string; label: string };
  /** The screen itself says that the advertiser is missing. */
  isMissingSaid?: boolean;
}

/** Shows an advertisement as its reader will see it, composed by the server's function, and its length. */
export function AdvertPreview({ message, image, isMissingSaid = false }: AdvertPreviewProps) {
  const profile = useQuery(profileQuery);
  const advertiser = profile.data?.advertiser;
  const shown = advertiser ??
    { name: ADVERT.placeholder, address: "", phone: "", email: "", removalLink: false };
  const origin = shown.removalLink ? profile.data?.linkOrigin ?? null : null;
  const text = composeMarketing(message, shown, origin === null ? null : sampleRemovalLink(origin));
  const over = text.length - MAX_MESSAGE_CHARS;
  return (
    <>
      <MessageBubble message={text} image={image} />
      <p className="mt-2 text-xs text-ink-2">{ADVERT.added}</p>
      {advertiser && (
        <p className={`mt-1 text-xs ${over > 0 ? "tone-bad font-semibold text-tone" : "text-ink-2"}`}>
          {ADVERT.chars(text.length, MAX_MESSAGE_CHARS)} {over > 0 && ADVERT.tooLong(over)}
        </p>
      )}
      {profile.isPending && <p role="status" className="mt-1 text-xs text-ink-2">{ADVERT.loading}</p>}
      {profile.isError && !profile.data && (
        <Notice
          tone="warn"
          icon={TriangleAlert}
          lead={ADVERT.failed}
          body={ADVERT.failedBody}
          action={
            <button
              type="button"
              className="btn btn-sm btn-secondary relative z-10"
              onClick={() => void profile.refetch()}
            >
              {ACTS.retry}
            </button>
          }
          className="mt-3"
        />
      )}
      {advertiser === null && !isMissingSaid && <AdvertiserMissing />}
    </>
  );
}

/** Says that marketing cannot be sent before its advertiser is named. */
export function AdvertiserMissing() {
  return (
    <Notice
      tone="warn"
      icon={Megaphone}
      lead={ADVERT.missing}
      body={ADVERT.missingBody}
      action={<ProfileLink />}
      className="mt-3"
    />
  );
}

/** Links the owner to the advertiser form; says to others that the owner fills it in. */
export function ProfileLink() {
  if (!useMayDo("owner")) return <span className="text-sm">{BEYOND_DUTY.advertiser}</span>;
  return (
    <Link to={PATHS.advertiser} className="btn btn-sm btn-secondary relative z-10">{ADVERT.toProfile}</Link>
  );
}
