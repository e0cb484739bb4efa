import type { Client } from "../../data/catalogue";

export function Account({ of }: { of: Client }) {
  return <p>{of.uuid}</p>;
}
