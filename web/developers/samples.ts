/** The first message, in each language: three steps, which a test runs against a real edge. */

export const SAMPLE_LANGUAGES = ["curl", "typescript", "python", "php"] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

export const LANGUAGE_NAMES: Record<SampleLanguage, string> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
  php: "PHP",
};

/** The parts of one program, in order: where and as whom, a draft with a number, the send and its progress. */
export const SAMPLES: Record<SampleLanguage, readonly [string, string, string]> = {
  curl: [
    `export SHIGUR_URL="https://shigur.example"
export SHIGUR_KEY="shg_live_..."`,
    `CAMPAIGN=$(curl -sS --fail-with-body "$SHIGUR_URL/api/campaigns" \\
  -H "Authorization: Bearer $SHIGUR_KEY" -H "Idempotency-Key: order-1042-draft" \\
  -F name="Order 1042" -F kind=service -F message="Your order is ready." |
  sed -E 's/^\\{"id":([0-9]+).*/\\1/')

curl -sS --fail-with-body "$SHIGUR_URL/api/campaigns/$CAMPAIGN/contacts/manual" \\
  -H "Authorization: Bearer $SHIGUR_KEY" -H "Idempotency-Key: order-1042-numbers" \\
  -H "Content-Type: application/json" -d '{"numbers": "050-123-4567"}'`,
    `curl -sS --fail-with-body "$SHIGUR_URL/api/campaigns/$CAMPAIGN/send" \\
  -H "Authorization: Bearer $SHIGUR_KEY" -H "Idempotency-Key: order-1042-send" \\
  -H "Content-Type: application/json" -d '{}'

curl -sS --fail-with-body "$SHIGUR_URL/api/campaigns/$CAMPAIGN" \\
  -H "Authorization: Bearer $SHIGUR_KEY"`,
  ],
  typescript: [
    `import process from "node:process";

const { SHIGUR_URL, SHIGUR_KEY } = process.env;

async function call(method: string, path: string, body?: FormData | object, act?: string) {
  const isForm = body instanceof FormData;
  const answer = await fetch(SHIGUR_URL + path, {
    method,
    headers: {
      authorization: \`Bearer \${SHIGUR_KEY}\`,
      ...(act && { "idempotency-key": act }),
      ...(body && !isForm && { "content-type": "application/json" }),
    },
    body: isForm ? body : body && JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(\`\${answer.status} \${result.code}: \${result.error}\`);
  return result;
}`,
    `const draft = new FormData();
draft.set("name", "Order 1042");
draft.set("kind", "service");
draft.set("message", "Your order is ready.");
const { id } = await call("POST", "/api/campaigns", draft, "order-1042-draft");

const numbers = "050-123-4567";
await call("POST", \`/api/campaigns/\${id}/contacts/manual\`, { numbers }, "order-1042-numbers");`,
    `await call("POST", \`/api/campaigns/\${id}/send\`, {}, "order-1042-send");

const { status, counts } = await call("GET", \`/api/campaigns/\${id}\`);
console.log(status, counts);`,
  ],
  python: [
    `# pip install requests
import os
import requests

def call(method, path, act=None, **body):
    headers = {"Authorization": "Bearer " + os.environ["SHIGUR_KEY"]}
    if act:
        headers["Idempotency-Key"] = act
    answer = requests.request(method, os.environ["SHIGUR_URL"] + path,
                              headers=headers, timeout=30, **body)
    answer.raise_for_status()
    return answer.json()`,
    `draft = {"name": "Order 1042", "kind": "service", "message": "Your order is ready."}
campaign = call("POST", "/api/campaigns", act="order-1042-draft",
                files={name: (None, value) for name, value in draft.items()})
path = f"/api/campaigns/{campaign['id']}"

call("POST", path + "/contacts/manual", act="order-1042-numbers",
     json={"numbers": "050-123-4567"})`,
    `call("POST", path + "/send", act="order-1042-send", json={})

campaign = call("GET", path)
print(campaign["status"], campaign["counts"])`,
  ],
  php: [
    `<?php
function call(string $method, string $path, array|object|null $body = null, ?string $act = null): array {
    $headers = ["Authorization: Bearer " . getenv("SHIGUR_KEY")];
    if ($act !== null) $headers[] = "Idempotency-Key: $act";
    if (is_object($body)) $headers[] = "Content-Type: application/json";
    $request = curl_init(getenv("SHIGUR_URL") . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    // An array is sent as a form, an object as JSON.
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, is_object($body) ? json_encode($body) : $body);
    }
    $result = json_decode(curl_exec($request), true);
    $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
    if ($status >= 400) throw new Exception("$status {$result['code']}: {$result['error']}");
    return $result;
}`,
    `$draft = ["name" => "Order 1042", "kind" => "service", "message" => "Your order is ready."];
$path = "/api/campaigns/" . call("POST", "/api/campaigns", $draft, "order-1042-draft")["id"];

$numbers = (object) ["numbers" => "050-123-4567"];
call("POST", "$path/contacts/manual", $numbers, "order-1042-numbers");`,
    `call("POST", "$path/send", (object) [], "order-1042-send");

$campaign = call("GET", $path);
echo $campaign["status"], " ", json_encode($campaign["counts"]), "\\n";`,
  ],
};
