import { apiRequest } from "../../data/api_client.ts";

/** Closes the session at the server; a failure is only logged, because the user leaves either way. */
export async function logOut(): Promise<void> {
  try {
    await apiRequest("POST", "/api/auth/logout");
  } catch (error) {
    // deno-lint-ignore no-console -- the specification asks for the console and nothing else
    console.warn("Logout failed", error);
  }
}
