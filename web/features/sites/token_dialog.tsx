import { TOKEN } from "../../text/admin_sites.ts";
import { formatTime } from "../../text/format.ts";
import { CopyField } from "../../ui/copy_field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DeskLink } from "./desk_link.tsx";
import type { ShownToken } from "./join_site.ts";

/** Shows the command to run at the site; its token is shown only once. */
export function TokenDialog({ token, onClose }: { token: ShownToken; onClose: () => void }) {
  return (
    <Dialog title={TOKEN.title(token.site)} onClose={onClose}>
      <p className="mb-4 text-sm">{TOKEN.how}</p>
      <div className="flex flex-col gap-3">
        <CopyField label={TOKEN.command} text={token.command} />
        <CopyField label={TOKEN.token} text={token.joinToken} />
      </div>
      <p className="mt-1 text-sm text-ink-2">{TOKEN.expires(formatTime(token.expiresAt))}</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <button type="button" className="btn btn-primary" onClick={onClose}>{TOKEN.done}</button>
        <DeskLink />
      </div>
    </Dialog>
  );
}
