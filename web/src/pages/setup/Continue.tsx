import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { allDevices, devicesQuery, isActive } from "../../data/devices";
import { data, invoicesQuery } from "../../data/queries";
import type { Environment, SetUp } from "../../data/setup";
import { Action, ActionLink } from "../../parts/Action";
import { DeviceForm } from "../../parts/DeviceForm";
import { notify } from "../../parts/notify";
import { Onboarding } from "../../parts/Onboarding";
import { useSession } from "../../parts/session";
import { Buttons } from "../../parts/Sheet";
import { ErrorState, FormError, Loading, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import { Environments } from "./Environments";
import { FirstInvoice, Verdict } from "./FirstInvoice";
import { Frame, Heading, Sheet } from "./Frame";

/** The steps of a signed-in person. The first missing one is shown. */
export function Continue({ setUp }: { setUp: SetUp }) {
  const { t } = useWords();
  const { can } = useSession();
  const devices = useQuery(devicesQuery(allDevices));
  const invoices = useQuery(invoicesQuery({ page_size: 1 }));
  const [another, setAnother] = useState(false);
  const [working, setWorking] = useState<string | null>(null);
  const onboarded = useCallback(() => {
    notify(t("device_onboarded"));
    setTimeout(() => setWorking(null), 1_500); // the last step is seen before the next page
  }, [t]);

  if (devices.isPending || invoices.isPending) return <Frame step={null}><Loading /></Frame>;
  const error = devices.error ?? invoices.error;
  if (error || !devices.data || !invoices.data) {
    return <Frame step={null}><ErrorState error={error} retry={() => void Promise.all([devices.refetch(), invoices.refetch()])} /></Frame>;
  }
  const device = devices.data.devices.find(isActive);
  const begun = devices.data.devices.find((one) => !one.is_retired);
  const newest = invoices.data.invoices[0];
  if (!device && begun && working !== begun.device_id) setWorking(begun.device_id);
  const issue = device && (!newest || another);

  if (!newest && !can("Admin")) {
    return (
      <Frame step={null}>
        <Heading title={t("setup_admin_title")}>{t("setup_admin_text")}</Heading>
        <p><ActionLink href="/" look="main">{t("to_home")}</ActionLink></p>
      </Frame>
    );
  }
  if (setUp.environment === null) return <Frame step="environment"><ChooseEnvironment setUp={setUp} /></Frame>;
  if (!device || working) {
    return (
      <Frame step="device">
        <Heading title={t("setup_device_title")}>{t("setup_device_lead")}</Heading>
        <Sheet>{begun ? <Named name={begun.common_name}><Onboarding id={begun.device_id} onDone={onboarded} /></Named> : <DeviceForm onCreated={() => undefined} />}</Sheet>
        <Later />
      </Frame>
    );
  }
  if (issue) {
    return (
      <Frame step="invoice">
        <Heading title={t("setup_invoice_title")}>{t(device.invoice_type === "0100" ? "setup_invoice_lead_simplified" : "setup_invoice_lead")}</Heading>
        <FirstInvoice device={device} onIssued={() => setAnother(false)} />
        <p className="flex flex-wrap items-center gap-3 text-muted">{t("setup_connect_lead")}<ActionLink href="/keys">{t("setup_connect")}</ActionLink></p>
      </Frame>
    );
  }
  return newest ? <Verdict id={newest.uuid} onAnother={() => setAnother(true)} /> : null;
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="font-bold"><bdi>{name}</bdi></h2>
      {children}
    </div>
  );
}

function Later() {
  const { t } = useWords();
  return <p className="text-muted">{t("setup_later")}</p>;
}

/** Chooses the environment if the first request did not. */
function ChooseEnvironment({ setUp }: { setUp: SetUp }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Environment | null>(null);
  const choose = useMutation({
    mutationFn: (environment: Environment) => data(app.POST("/api/environment/", { body: { environment } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["setup"] }),
  });
  const [missing, setMissing] = useState(false);
  const problems = useProblems(choose.error);
  return (
    <Form
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(!chosen);
        if (chosen) choose.mutate(chosen);
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <Heading title={t("setup_environment_title")}>{t("setup_environment_lead")}</Heading>
      <Sheet>
        <Environments setUp={setUp} value={chosen} onChange={setChosen} />
        <FormError>{missing ? t("setup_environment_missing") : [problems.of("environment"), problems.rest].filter(Boolean).join("\n")}</FormError>
      </Sheet>
      <Buttons><Action type="submit" look="main" isDisabled={choose.isPending}>{t("setup_next")}</Action></Buttons>
    </Form>
  );
}
