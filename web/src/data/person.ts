const organisationKey = "khatm.organisation";

/**
 * The organisation that calls are made for, if the person belongs to several. Each tab has
 * its own, and a new tab that of the last choice: a choice in one must not send what is
 * written in another to the wrong organisation.
 */
export const activeOrganisation = {
  get() {
    const own = sessionStorage.getItem(organisationKey);
    if (own) return own;
    const last = localStorage.getItem(organisationKey);
    if (last) sessionStorage.setItem(organisationKey, last);
    return last;
  },
  set(uuid: string) {
    sessionStorage.setItem(organisationKey, uuid);
    localStorage.setItem(organisationKey, uuid);
  },
  clear() {
    sessionStorage.removeItem(organisationKey);
    localStorage.removeItem(organisationKey);
  },
};

/**
 * Returns the organisation that a member of some makes calls for: the chosen one if it is
 * among them, else the first if there are several. A member of one need not name it.
 */
export function organisationOf(organisations: { uuid: string }[]): string | null {
  const chosen = activeOrganisation.get();
  const [first, second] = organisations;
  if (!first || organisations.some((one) => one.uuid === chosen)) return chosen;
  return chosen || second ? first.uuid : null;
}

/** Begins the keys of content that is not saved yet. */
export const draftPrefix = "khatm.draft.";

const signedInKey = "khatm.signedIn";

/** Whether the person has signed in here. The session is in a cookie that scripts cannot read. */
export const signedIn = {
  get: () => localStorage.getItem(signedInKey) === "1",
  set: () => {
    activeOrganisation.clear(); // an earlier person may have chosen it here
    localStorage.setItem(signedInKey, "1");
  },
  clear: () => {
    localStorage.removeItem(signedInKey);
    activeOrganisation.clear();
  },
  /** Forgets also what was typed and not saved, because others may use this browser. */
  end: () => {
    signedIn.clear();
    for (const key of Object.keys(localStorage)) if (key.startsWith(draftPrefix)) localStorage.removeItem(key);
  },
};

const environmentKey = "khatm.environment";

/** The environment of the tax authority that the last response named, so that the band of a test environment does not move a page that is already shown. */
export const lastEnvironment = {
  get: () => localStorage.getItem(environmentKey),
  set: (value: string) => {
    try {
      localStorage.setItem(environmentKey, value);
    } catch {
      // The storage is full. The band then appears with the first response.
    }
  },
};
