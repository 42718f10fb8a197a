/** A client with one campaign, who acts through the HTTP calls of any client. */
import { logInAsAdmin } from "../head_office.ts";
import { Caller, makeReadyCampaign, type PersonalMessage } from "../caller.ts";
import type { Product } from "../product.ts";
import { PATIENCE_MS, until } from "../wait.ts";

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQyWsCIgYIBQAaxgQRuvIrRQAAAABJRU5ErkJggg==",
);

const NAMES = ["נועה", "يوسف", "Dana O'Neil", "אורית 👩‍👧", "{{עיר}}", "a,b;c"];

/** Returns a message that names each recipient, and some of them with a fallback. */
function personalMessage(name: string): PersonalMessage {
  return {
    message: `שלום {{שם}}, זו הודעה מאת ${name} 🙂\nנשמח לראותך ב{{עיר|סניף הקרוב}}, {{שם}}`,
    valuesOf: (index) => ({
      שם: `${NAMES[index % NAMES.length]} ${index}`,
      עיר: index % 3 === 0 ? "" : `עיר ${index}`,
    }),
  };
}

export class Client {
  private constructor(private readonly caller: Caller, readonly campaign: number) {}

  /** Creates client number `index` with a campaign that is ready to be sent. */
  static async make(
    product: Product,
    index: number,
    { name, contacts, hasImage, isPersonal = false }: {
      name: string;
      contacts: number;
      hasImage: boolean;
      isPersonal?: boolean;
    },
  ): Promise<Client> {
    const caller = await logIn(product, index);
    // In each campaign one number ends in 0000, which is not on the app.
    const first = 41_010_000 - Math.floor(contacts / 2);
    const image = hasImage ? new File([PNG], "picture.png", { type: "image/png" }) : undefined;
    return new Client(
      caller,
      await makeReadyCampaign(caller, name, contacts, {
        first,
        ...(image && { image }),
        ...(isPersonal && { personal: personalMessage(name) }),
      }),
    );
  }

  /** Repeats the request until the edge responds; 409 (the campaign is past this act) is a valid response. */
  async act(action: "send" | "pause" | "resume" | "cancel"): Promise<void> {
    await until(
      async () => {
        const status = await this.request(action);
        return status < 300 || status === 409;
      },
      PATIENCE_MS,
      `${action} is answered`,
    );
  }

  /** Sends the request once and returns the status. */
  async request(action: "send" | "pause" | "resume" | "cancel"): Promise<number> {
    const response = await this.caller.call("POST", `/api/campaigns/${this.campaign}/${action}`);
    await response.body?.cancel();
    return response.status;
  }

  /** Sends one `unknown` delivery of the campaign again. */
  async resend(delivery: number): Promise<void> {
    await this.caller.read("POST", `/api/campaigns/${this.campaign}/deliveries/resolve`, {
      json: { ids: [delivery], as: "resend" },
    });
  }
}

/** Returns a login: the product creates the first client, its administrator the others. */
async function logIn(product: Product, index: number): Promise<Caller> {
  const client = product.logins().find(({ role }) => role === "client")!;
  if (index === 0) return await Caller.login(product.url, client);
  const admin = await logInAsAdmin(product);
  const login = { username: `client${index}`, password: `password-${index}`, role: "client" as const };
  const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
  await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 1_000 } });
  return await Caller.login(product.url, login);
}
