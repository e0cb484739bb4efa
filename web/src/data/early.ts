import { activeOrganisation } from "./person";

declare global {
  /** The requests of begin that were not used yet. */
  var khatmEarly: Map<string, Promise<Response>> | undefined;
}

const organisationHeader = "X-Active-Org";

const keyOf = (address: string, organisation: string | null) => `${organisation ?? ""} ${address}`;

/** Sends requests of the first page, while the script that reads the responses is loading. */
export function begin(addresses: string[]) {
  const organisation = activeOrganisation.get();
  const options = organisation ? { headers: { [organisationHeader]: organisation } } : {};
  globalThis.khatmEarly = new Map(
    addresses.map((address) => {
      const response = fetch(address, options);
      response.catch(() => undefined); // send reports it, if the response is wanted
      return [keyOf(address, organisation), response];
    }),
  );
}

/** Sends a request, unless begin has sent the same one. Each response of begin is returned once. */
export function send(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const key = keyOf(pathname + search, request.headers.get(organisationHeader));
  const response = request.method === "GET" ? globalThis.khatmEarly?.get(key) : undefined;
  if (!response) return fetch(request);
  globalThis.khatmEarly?.delete(key);
  return response;
}

/** Forgets the responses that were not used, which would be old by the time they are. */
export function forget() {
  globalThis.khatmEarly = undefined;
}
