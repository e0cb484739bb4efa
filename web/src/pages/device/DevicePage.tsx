import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { app } from "../../data/client";
import { branchesQuery } from "../../data/company";
import { type Device, deviceQuery, isActive } from "../../data/devices";
import { data, every } from "../../data/queries";
import { Action } from "../../parts/Action";
import { grouped } from "../../parts/Amount";
import { CertificateEnd, DeviceStatus } from "../../parts/Device";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Onboarding } from "../../parts/Onboarding";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { useSession } from "../../parts/session";
import { Buttons, Sheet } from "../../parts/Sheet";
import { ErrorState, FormError, LoadingPage, useProblems } from "../../parts/states";
import { useWords } from "../../words";

export default function DevicePage({ id }: { id: string }) {
  const { t } = useWords();
  const { can } = useSession();
  const device = useQuery({ ...deviceQuery(id), refetchInterval: (query) => every(query.state.data?.submission_state === "parked" ? 3_000 : 30_000)(query) });
  const [renewing, setRenewing] = useState(false);
  const [releasing, setReleasing] = useState(false);
  const onboarded = useCallback(() => notify(t("device_onboarded")), [t]);
  // A device that was active from the beginning is not announced.
  const [begun, setBegun] = useState(false);
  if (device.isPending) return <LoadingPage boxes={["h-[58rem] sm:h-[39rem]"]} />;
  if (device.error) return <ErrorState page error={device.error} retry={() => void device.refetch()} />;
  const one = device.data;
  const active = isActive(one);
  const admin = can("Admin");
  if (!active && !one.is_retired && !begun) setBegun(true);
  const renewal = active && (renewing || one.renewal !== null);
  return (
    <Page
      title={<bdi>{one.common_name}</bdi>}
      back={{ href: "/devices", title: t("device_title") }}
      note={<DeviceStatus of={one} />}
      actions={
        admin &&
        !one.is_retired && (
          <>
            <Action onPress={() => setReleasing(true)}>{t("device_release")}</Action>
            {active && !renewal && <Action onPress={() => setRenewing(true)}>{t("device_renew")}</Action>}
          </>
        )
      }
    >
      {one.submission_state === "parked" && !one.is_retired && <Parked device={one} />}
      {!one.is_retired && (!active || begun) && !renewal && admin && (
        <Panel title={t("device_onboarding")}><div className="p-4"><Onboarding id={id} onDone={onboarded} /></div></Panel>
      )}
      {renewal && admin && (
        <Panel title={t("device_renew_title")}>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
            <p className="text-muted">{t("device_renew_text")}</p>
            <Onboarding id={id} renewal />
          </div>
        </Panel>
      )}
      <Details device={one} />
      <Release device={one} isOpen={releasing} onClose={() => setReleasing(false)} />
    </Page>
  );
}

/** Says why nothing of the device is sent, and tries again. */
function Parked({ device }: { device: Device }) {
  const { t } = useWords();
  const { can } = useSession();
  const resume = useMutation({
    mutationFn: () => data(app.POST("/api/devices/{device_id}/resume/", { params: { path: { device_id: device.device_id } } })),
    onSuccess: () => notify(t("device_resumed")),
  });
  const problems = useProblems(resume.error);
  return (
    <div role="alert" className="grid gap-2 rounded-xl bg-bad-tint p-4">
      <p className="font-bold text-bad">{t("device_parked_title")}</p>
      <p>{t("device_parked_text")}</p>
      {device.submission_message && <p className="text-xs text-muted">{t("device_authority_says")}: <bdi>{device.submission_message}</bdi></p>}
      <FormError>{problems.rest}</FormError>
      {can("Admin") && <div><Action look="main" onPress={() => resume.mutate()} isDisabled={resume.isPending}>{t("device_resume")}</Action></div>}
    </div>
  );
}

function Details({ device }: { device: Device }) {
  const { t, n } = useWords();
  const branches = useQuery({ ...branchesQuery({ page_size: 100 }), enabled: device.branch_id !== null });
  const { count, oldest } = device.waiting;
  const facts: [string, ReactNode][] = [
    [t("device_kind"), t(`device_kind_${device.invoice_type}`)],
    [t("device_counter"), <bdi>{grouped(device.counter)}</bdi>],
    [t("device_col_last"), device.last_issued_at ? <Moment at={device.last_issued_at} /> : t("device_never")],
    [t("device_col_waiting"), count === 0 ? t("device_none_waiting") : <span className="text-wait">{n("device_waiting_since", count)} {oldest && <Moment at={oldest} />}</span>],
    [t("device_col_certificate"), <CertificateEnd of={device} />],
    [t("device_environment"), t(`setup_environment_${device.environment}`)],
    [t("device_branch"), device.branch_id ? <bdi>{branches.data?.branches.find((one) => one.uuid === device.branch_id)?.name ?? ""}</bdi> : t("device_no_branch")],
    [t("device_unit"), <bdi>{device.unit_name}</bdi>],
    [t("device_location"), <bdi>{device.location}</bdi>],
    [t("device_industry"), <bdi>{device.industry}</bdi>],
    [t("device_serial"), <bdi dir="ltr" className="break-all">{device.serial_number}</bdi>],
    [t("device_created"), <Moment at={device.created_at} time={false} />],
  ];
  return (
    <Panel title={t("device_details")}>
      <dl className="divide-y divide-line">
        {facts.map(([name, fact]) => (
          <div key={name} className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0">{fact}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** Asks before a device is released, which nothing undoes. */
function Release({ device, isOpen, onClose }: { device: Device; isOpen: boolean; onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const release = useMutation({
    mutationFn: () => data(app.POST("/api/devices/{device_id}/release/", { params: { path: { device_id: device.device_id } }, body: { confirm: true } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["device", device.device_id] });
      void queries.invalidateQueries({ queryKey: ["devices"] });
      notify(t("device_released"));
      onClose();
    },
  });
  const problems = useProblems(release.error);
  return (
    <Sheet title={t("device_release_title", { name: device.common_name })} isOpen={isOpen} onClose={onClose}>
      <p>{t("device_release_text")}</p>
      <FormError>{problems.rest}</FormError>
      <Buttons>
        <Action onPress={onClose}>{t("cancel")}</Action>
        <Action look="main" onPress={() => release.mutate()} isDisabled={release.isPending}>{t("device_release")}</Action>
      </Buttons>
    </Sheet>
  );
}
