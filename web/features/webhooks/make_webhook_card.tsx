import { useState } from "react";
import { useMakeWebhook } from "./change_webhooks.ts";
import { SecretDialog } from "./secret_dialog.tsx";
import { WEBHOOK_FORM } from "./text.ts";
import { WebhookForm } from "./webhook_form.tsx";

/** Makes a webhook and shows its secret once. */
export function MakeWebhookCard({ isAdmin }: { isAdmin: boolean }) {
  const [made, setMade] = useState<{ name: string; secret: string; no: number }>();
  const [no, setNo] = useState(0);
  const make = useMakeWebhook(({ webhook, secret }) => {
    setMade({ name: webhook.name, secret, no });
    setNo(no + 1);
  });
  return (
    <section className="sheet min-w-0 p-5" aria-labelledby="make-webhook-h">
      <h2 id="make-webhook-h" className="mb-4 text-lg font-bold">{WEBHOOK_FORM.heading}</h2>
      <WebhookForm
        key={no}
        isAdmin={isAdmin}
        submit={WEBHOOK_FORM.submit}
        busyText={WEBHOOK_FORM.making}
        busy={make.isPending}
        onSubmit={(fields) => make.mutate(fields)}
      />
      {made && (
        <SecretDialog
          name={made.name}
          secret={made.secret}
          body={WEBHOOK_FORM.made}
          onClose={() => setMade(undefined)}
        />
      )}
    </section>
  );
}
