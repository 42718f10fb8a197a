/** Alerts and statements as e-mail, by SMTP to the server that the operator chose. */
import { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { networkCause } from "shared/network_cause.ts";
import type { EmailConfig } from "../config.ts";
import { type Mail, OutsideError, type OutsideMessage, type SendOutside } from "../context.ts";

/** From the first byte to the server's receipt. */
const WITHIN_MS = 20_000;
const CONNECT_WITHIN_MS = 8_000;
/** A reply is a few lines; the rest of an endless one is not waited for. */
const MAX_REPLY_BYTES = 64 * 1024;

/** Returns a sender by SMTP. It opens a connection for each message, and says nothing to a log. */
export function openEmail(email: EmailConfig, withinMs: number = WITHIN_MS): SendOutside {
  return async (message) =>
    await sendBytes(email, email.to, await composeMail(email, message).build(), withinMs);
}

/** Returns a sender of e-mails to single addresses, from the same server and with the same sender. */
export function openMail(email: EmailConfig, withinMs: number = WITHIN_MS): (mail: Mail) => Promise<void> {
  return async ({ to, subject, text, html, at }) => {
    const mail = new MailComposer({
      from: email.from,
      to,
      subject,
      date: new Date(at),
      text,
      html,
      headers: { "auto-submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    }).compile();
    await sendBytes(email, [to], await mail.build(), withinMs);
  };
}

async function sendBytes(
  email: EmailConfig,
  to: readonly string[],
  bytes: Uint8Array,
  withinMs: number,
): Promise<void> {
  const connection = new SMTPConnection({
    host: email.host,
    port: email.port,
    secure: email.isSecure,
    // A password, and what an alert says, go out encrypted; a mail server on this machine needs no certificate.
    requireTLS: !email.isSecure && !email.isLocal,
    ignoreTLS: email.isLocal,
    connectionTimeout: Math.min(CONNECT_WITHIN_MS, withinMs),
    greetingTimeout: Math.min(CONNECT_WITHIN_MS, withinMs),
    dnsTimeout: Math.min(CONNECT_WITHIN_MS, withinMs),
    socketTimeout: withinMs,
    socketCloseTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
    logger: false,
  });
  let isUnderWay = false;
  try {
    await new Promise<void>((done, fail) => {
      const late = setTimeout(() => fail(new OutsideError("timeout", isUnderWay)), withinMs);
      const end = (error?: unknown) => {
        clearTimeout(late);
        error ? fail(failureOf(error as SmtpError, isUnderWay)) : done();
      };
      connection.on("error", end);
      connection.on("end", () => end({ code: "ECONNECTION" }));
      connection.connect((error) => {
        if (error) return end(error);
        const send = () => {
          isUnderWay = true;
          const envelope = { from: email.from, to: [...to], size: bytes.length };
          connection.send(envelope, Buffer.from(bytes), (error) => end(error ?? undefined));
        };
        if (email.auth === undefined) return send();
        connection.login(
          { user: email.auth.user, pass: email.auth.pass },
          (error) => error ? end(error) : send(),
        );
      });
    });
  } finally {
    connection.close();
  }
}

interface SmtpError {
  code?: string;
  responseCode?: number;
}

/** A reply code is the server's own no. Without one, a message that was under way may have arrived. */
function failureOf(error: SmtpError, isUnderWay: boolean): OutsideError {
  if (error instanceof OutsideError) return error;
  const { code, responseCode } = error;
  const status = responseCode ?? null;
  if (status !== null) return new OutsideError(code === "EAUTH" ? "login" : "refused", false, status);
  if (isUnderWay) return new OutsideError(code === "ETIMEDOUT" ? "timeout" : "broken", true);
  if (code === "ETIMEDOUT") return new OutsideError("timeout", false);
  // nodemailer calls a refused certificate an error of the socket.
  if (code === "ETLS" || networkCause(error)?.startsWith("tls")) return new OutsideError("tls", false);
  if (code === "EAUTH") return new OutsideError("login", false);
  return new OutsideError(code === "EPROTOCOL" ? "broken" : "connect", false);
}

function composeMail({ from, to }: EmailConfig, { title, step, places, url, type, at }: OutsideMessage) {
  const lines = [`${title}.`, places.length > 0 && `אתרים: ${places.join(", ")}.`, step, url];
  return new MailComposer({
    from,
    to: [...to],
    subject: type === "test" ? title : `שיגור: ${title}`,
    date: new Date(at),
    text: lines.filter(Boolean).join("\n\n"),
    // Else other programs answer: "out of office".
    headers: { "auto-submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}
