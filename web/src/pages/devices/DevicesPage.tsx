import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { type DeviceRow, devicesQuery, isActive } from "../../data/devices";
import { every } from "../../data/queries";
import { Action } from "../../parts/Action";
import { CertificateEnd, DeviceStatus } from "../../parts/Device";
import { DeviceForm } from "../../parts/DeviceForm";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { SetUpBanner } from "../../parts/SetUpBanner";
import { Sheet } from "../../parts/Sheet";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";

export default function DevicesPage() {
  const { t } = useWords();
  const { can } = useSession();
  const [, navigate] = useLocation();
  const { search, cursor, set, setSearch } = useList();
  const [adding, setAdding] = useState(false);
  const devices = useQuery({ ...devicesQuery({ ...(search && { search_text: search }), ...(cursor && { cursor }) }), refetchInterval: every(30_000) });
  const add = can("Admin") && <Action look="main" onPress={() => setAdding(true)}><Plus size={16} aria-hidden />{t("device_add")}</Action>;
  const columns: Column<DeviceRow>[] = [
    { title: t("device_col_name"), cell: (row) => <bdi>{row.common_name}</bdi> },
    { title: t("device_col_status"), cell: (row) => <DeviceStatus of={row} /> },
    { title: t("device_kind"), cell: (row) => <span className="text-muted">{t(`device_kind_${row.invoice_type}`)}</span>, minor: true },
    { title: t("device_col_last"), cell: (row) => (row.last_issued_at ? <span className="whitespace-nowrap text-muted"><Moment at={row.last_issued_at} /></span> : <span className="text-muted">{t("device_never")}</span>) },
    { title: t("device_col_waiting"), cell: (row) => <Waiting of={row} /> },
    { title: t("device_col_certificate"), cell: (row) => <CertificateEnd of={row} />, named: true, minor: (row) => row.is_retired || (row.PSIDCertificateData?.expiry_status ?? "valid") === "valid" },
  ];
  return (
    <Page title={t("device_title")} note={<Count of={devices.data} word="n_devices" />} actions={add}>
      {devices.data && devices.data.devices.length > 0 && !search && !cursor && !devices.data.devices.some(isActive) && <SetUpBanner />}
      <SearchBox label={t("device_search")} value={search} onChange={setSearch} />
      <List query={devices} rows={(data) => data.devices} empty={{ title: t("device_empty"), text: t("device_empty_text") }} filtered={Boolean(search)} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("device_title")} rows={data.devices} columns={columns} keyOf={(row) => row.device_id} href={(row) => `/devices/${row.device_id}`} />}
      </List>
      <Sheet title={t("device_add")} isOpen={adding} onClose={() => setAdding(false)}>
        <DeviceForm onCreated={(device) => navigate(`/devices/${device.device_id}`)} onCancel={() => setAdding(false)} />
      </Sheet>
    </Page>
  );
}

/** What the authority has not answered, and since when. */
function Waiting({ of }: { of: DeviceRow }) {
  const { t, n } = useWords();
  const { count, oldest } = of.waiting;
  if (count === 0) return <span className="hidden text-muted md:inline">{t("device_none_waiting")}</span>;
  return <span className="text-wait">{n("device_waiting_since", count)} {oldest && <Moment at={oldest} />}</span>;
}
