/** Returns a random key for a request. Without HTTPS, browsers have no randomUUID. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
