import { createContext, useContext } from "react";
import { activeOrganisation } from "../data/client";
import type { Session } from "../data/queries";

const roles = ["ViewInvoice", "CreateInvoice", "Accountant", "Admin"] as const;
export type Role = (typeof roles)[number];
type Organisation = Session["organisations"][number];

export const SessionContext = createContext<Session | null>(null);

/** Returns the signed-in person, their organisation, and whether their role includes another. */
export function useSession() {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession outside SessionContext");
  const organisation: Organisation | undefined = session.organisations.find((o) => o.uuid === activeOrganisation.get()) ?? session.organisations[0];
  const rank = organisation ? roles.indexOf(organisation.role) : -1;
  return { session, organisation, can: (role: Role) => rank >= roles.indexOf(role) };
}
