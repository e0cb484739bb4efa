import { activeOrganisation, organisationOf } from "./person";

declare global {
  /** The requests of begin that were not used yet. */
  var khatmEarly: Map<string, Promise<Response>> | undefined;
}

const organisationHeader = "X-Active-Org";

const keyOf = (address: string, organisation: string | null) => `${organisation ?? ""} ${address}`;

function start(address: string, organisation: string | null, then = (response: Response) => Promise.resolve(response)) {
  const response = fetch(address, organisation ? { headers: { [organisationHeader]: organisation } } : {}).then(then);
  response.catch(() => undefined); // send reports it, if the response is wanted
  globalThis.khatmEarly?.set(keyOf(address, organisation), response);
}

/**
 * Sends the requests of the first page, while the script that reads the responses is
 * loading: that of the session first, and the others when it has said that the session
 * works and to which organisations the person belongs.
 */
export function begin(addresses: string[]) {
  globalThis.khatmEarly = new Map();
  start("/app/api/session/", activeOrganisation.get(), async (response) => {
    if (!response.ok) return response;
    try {
      const { organisations } = (await response.clone().json()) as { organisations: { uuid: string }[] };
      const organisation = organisationOf(organisations);
      // They begin before the app gets the session, so that it does not send them again.
      for (const address of addresses) start(address, organisation);
    } catch {
      // The app reports a response that cannot be read.
    }
    return response;
  });
}

/** Sends a request, unless begin has sent the same one. Each response of begin is returned once. */
export function send(request: Request): Promise<Response> {
  if (request.method !== "GET") forget(); // they may be of another person, or before a change
  const { pathname, search } = new URL(request.url);
  const key = keyOf(pathname + search, request.headers.get(organisationHeader));
  const response = globalThis.khatmEarly?.get(key);
  if (!response) return fetch(request);
  globalThis.khatmEarly?.delete(key);
  return response;
}

/** Forgets the responses that were not used, which would be old by the time they are. */
export function forget() {
  // A request is open until its response is read or cancelled.
  for (const response of globalThis.khatmEarly?.values() ?? []) void response.then(({ body }) => body?.cancel()).catch(() => undefined);
  globalThis.khatmEarly = undefined;
}
