import createClient, { type Middleware } from "openapi-fetch";
import type { paths as AppPaths } from "./app";
import { send } from "./early";
import { newListeners } from "./listeners";
import { activeOrganisation, lastEnvironment } from "./person";
import type { paths as V1Paths } from "./v1";

export { activeOrganisation, draftPrefix, organisationOf, signedIn } from "./person";

/** A problem with one field, as in responses. */
export interface Problem {
  path?: string;
  code?: string;
  message: string;
  message_ar: string;
  fix: string;
  fix_ar: string;
}

/** An error response, or a request that got none. */
export class Failure extends Error {
  constructor(
    readonly status: number, // 0 if the server was not reached
    readonly code: string,
    message: string,
    readonly messageAr: string,
    readonly problems: Problem[],
    readonly retryAfter: number | null,
  ) {
    super(message);
  }
}

interface Body {
  message?: string | string[];
  detail?: string;
  message_ar?: string;
  code?: string;
  errors?: Problem[];
}

export async function failureOf(response: Response): Promise<Failure> {
  let body: Body = {};
  try {
    body = (await response.json()) as Body;
  } catch {
    // A proxy may answer with a page.
  }
  const message = Array.isArray(body.message) ? body.message.join("\n") : (body.message ?? body.detail ?? "");
  const wait = Number(response.headers.get("Retry-After"));
  if (response.status === 401 && !response.url.endsWith("/app/api/session/")) unauthorised.call();
  return new Failure(response.status, body.code ?? "", message, body.message_ar ?? "", body.errors ?? [], wait > 0 ? wait : null);
}

const middleware: Middleware = {
  onRequest({ request }) {
    const organisation = activeOrganisation.get();
    if (organisation) request.headers.set("X-Active-Org", organisation);
    return request;
  },
  async onResponse({ response }) {
    reach.note(true);
    environment.note(response.headers.get("X-Khatm-Environment"));
    if (!response.ok) throw await failureOf(response);
    return response;
  },
  onError({ error, request }) {
    // A request that the page no longer needs is aborted; that says nothing about the server.
    if (!request.signal.aborted && !(error instanceof Failure)) void reach.check();
    return new Failure(0, "offline", "", "", [], null);
  },
};

/** Tells its listeners that a request was refused because the session has ended. */
export const unauthorised = newListeners();

const reached = newListeners();

/** Whether the server is reached. */
export const reach = {
  value: true,
  checking: false,
  /** Asks for the session, because one request can fail although the server is reached. */
  async check() {
    if (this.checking) return;
    this.checking = true;
    // The body is read, because the request is open until then.
    const body = await fetch("/app/api/session/").then((response) => response.arrayBuffer()).catch(() => null);
    this.checking = false;
    this.note(body !== null);
  },
  note(value: boolean) {
    if (value === this.value) return;
    this.value = value;
    reached.call();
  },
  subscribe: reached.subscribe,
};

const environmentNamed = newListeners();

/** The environment of the tax authority, which every response names. */
export const environment = {
  value: lastEnvironment.get(),
  note(value: string | null) {
    if (!value || value === this.value) return;
    this.value = value;
    lastEnvironment.set(value);
    environmentNamed.call();
  },
  subscribe: environmentNamed.subscribe,
};

export const app = createClient<AppPaths>({ baseUrl: "/app", fetch: send });
export const v1 = createClient<V1Paths>({ baseUrl: "/v1", fetch: send });
app.use(middleware);
v1.use(middleware);
