/** Returns the addresses of all pages of a signed-in person, with some records of each kind. */
export async function places(call, count = 1) {
  const first = async (path, list) => (await call("GET", path))[list].map((one) => one.uuid ?? one.device_id);
  const record = async (path, list, to) => (await first(path, list)).slice(0, count).map((id) => to.replace("{}", id));
  return [
    "/", "/attention", "/invoices", "/invoices?invoice_status=NOT_CLEARED,NOT_REPORTED", "/drafts", "/drafts/new", "/clients", "/clients/new", "/items", "/items/new",
    "/payments", "/payments/refunds", "/payments/ageing", "/imports", "/earlier", "/devices", "/company", "/team", "/keys", "/reasons", "/letters", "/trail", "/plan", "/account",
    ...(await record("/v1/api/invoices/", "invoices", "/invoices/{}")),
    ...(await record("/app/api/drafts/", "drafts", "/drafts/{}")),
    ...(await record("/v1/api/buyers/", "buyers", "/clients/{}")),
    ...(await record("/v1/api/buyers/", "buyers", "/clients/{}/statement")),
    ...(await record("/v1/api/items/", "items", "/items/{}")),
    ...(await record("/app/api/receipts/", "receipts", "/payments/receipts/{}")),
    ...(await record("/app/api/refunds/", "refunds", "/payments/refunds/{}")),
    ...(await record("/app/api/imports/", "imports", "/imports/{}")),
    ...(await record("/app/api/devices/", "devices", "/devices/{}")),
    ...(await record("/app/api/outbox/", "letters", "/letters/{}")),
  ];
}

/** The pages without a session. */
export const open = ["/login", "/forgotten", "/password", "/invitation", "/signup", "/setup", "/tools", "/tools/qr", "/tools/invoice"];
