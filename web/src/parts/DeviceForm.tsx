import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../data/client";
import { branchesQuery, companyQuery } from "../data/company";
import type { Device, DeviceKind } from "../data/devices";
import { industriesQuery } from "../data/lists";
import { data } from "../data/queries";
import { useWords } from "../words";
import { Action } from "./Action";
import { Choice } from "./Choice";
import { westernNumber } from "./decimal";
import { deviceKinds } from "./Device";
import { Field } from "./Field";
import { Buttons } from "./Sheet";
import { FormError, useProblems } from "./states";

/** Creates a device. What is typed becomes part of its certificate. */
export function DeviceForm({ onCreated, onCancel }: { onCreated: (device: Device) => void; onCancel?: () => void }) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const company = useQuery(companyQuery);
  const industries = useQuery(industriesQuery);
  const branches = useQuery(branchesQuery({ page_size: 100 }));
  const [name, setName] = useState("");
  const [kind, setKind] = useState<DeviceKind>("1100");
  const [industry, setIndustry] = useState("");
  const [branch, setBranch] = useState("");
  const [unit, setUnit] = useState("");
  const [missing, setMissing] = useState(false);
  // The eleventh digit of the VAT number of a group is 1. Its certificates name the member.
  const group = company.data?.vat_registration_number[10] === "1";
  const open = branches.data?.branches.filter((one) => one.is_active) ?? [];
  const all = Object.values(industries.data ?? {});
  const chosen = all.find((one) => one.code === industry);

  const create = useMutation({
    mutationFn: () =>
      data(
        app.POST("/api/devices/", {
          body: {
            common_name: name.trim(),
            invoice_type: kind,
            industry: pick(chosen?.description_ar, chosen?.description),
            branch_id: branch || null,
            unit_name: group ? unit : null,
          },
        }),
      ),
    onSuccess: (device) => {
      void queries.invalidateQueries({ queryKey: ["devices"] });
      onCreated(device);
    },
  });
  const problems = useProblems(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lacks = !name.trim() || !chosen;
    setMissing(lacks);
    if (!lacks) create.mutate();
  };
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field label={t("device_name")} help={t("device_name_help")} value={name} onChange={setName} problem={missing && !name.trim() ? t("company_required") : problems.of("common_name")} isRequired autoFocus />
      <Choice label={t("device_kind")} options={deviceKinds.map((id) => ({ id, label: t(`device_kind_${id}`) }))} value={kind} onChange={(id) => setKind(id as DeviceKind)} problem={problems.of("invoice_type")} />
      <Choice label={t("device_industry")} options={all.map((one) => ({ id: one.code, label: pick(one.description_ar, one.description) }))} value={industry} onChange={setIndustry} placeholder={t("device_industry_choose")} problem={missing && !chosen ? t("company_required") : problems.of("industry")} />
      {open.length > 0 && <Choice label={t("device_branch")} help={t("device_branch_help")} options={[{ id: "none", label: t("device_no_branch") }, ...open.map((one) => ({ id: one.uuid, label: one.name }))]} value={branch || "none"} onChange={(id) => setBranch(id === "none" ? "" : id)} problem={problems.of("branch_id")} />}
      {group ? (
        <Field label={t("device_member")} help={t("device_member_help")} value={unit} onChange={(text) => setUnit(westernNumber(text))} problem={problems.of("unit_name")} inputMode="numeric" isRequired ltr />
      ) : (
        <FormError>{problems.of("unit_name") ?? ""}</FormError>
      )}
      <FormError>{problems.rest}</FormError>
      <p className="text-xs text-muted">{t("device_fixed")}</p>
      <Buttons>
        {onCancel && <Action onPress={onCancel}>{t("cancel")}</Action>}
        <Action type="submit" look="main" isDisabled={create.isPending}>{t("device_create")}</Action>
      </Buttons>
    </Form>
  );
}
