import { Ban, Check, CircleAlert, Clock, type LucideIcon } from "lucide-react";
import type { DeviceKind, DeviceRow } from "../data/devices";
import { useWords } from "../words";
import { Moment } from "./Moment";

export const deviceKinds: DeviceKind[] = ["1100", "1000", "0100"];

const looks: Record<DeviceRow["label"], [LucideIcon, string]> = {
  Active: [Check, "bg-good-tint text-good"],
  "Setup in Progress": [Clock, "bg-wait-tint text-wait"],
  "Pending Activation": [Clock, "bg-wait-tint text-wait"],
  "Action Required": [CircleAlert, "bg-bad-tint text-bad"],
  Released: [Ban, "bg-sunken text-muted"],
  "Unknown Status": [CircleAlert, "bg-wait-tint text-wait"],
};

/** The state of a device: a word, an icon and a colour. */
export function DeviceStatus({ of }: { of: Pick<DeviceRow, "label" | "label_ar" | "submission_state" | "is_retired"> }) {
  const { t, pick } = useWords();
  const parked = of.submission_state === "parked" && !of.is_retired;
  const [Icon, colours] = parked ? looks["Action Required"] : looks[of.label];
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-bold whitespace-nowrap ${colours}`}>
      <Icon size={13} aria-hidden />
      {parked ? t("device_parked") : pick(of.label_ar, of.label)}
    </span>
  );
}

/** When the certificate of a device ends. */
export function CertificateEnd({ of }: { of: Pick<DeviceRow, "PSIDCertificateData" | "is_retired"> }) {
  const { t, n } = useWords();
  const certificate = of.PSIDCertificateData;
  if (!certificate) return <span className="text-muted">{t("device_no_certificate")}</span>;
  const { expiry_status: status, days_until_expiry: days } = certificate;
  const colour = of.is_retired || status === "valid" ? "text-muted" : days > 7 ? "text-wait" : "text-bad";
  return (
    <span className={`whitespace-nowrap ${colour}`}>
      <Moment at={certificate.not_valid_after} time={false} />
      {!of.is_retired && status !== "valid" && <> · {days > 0 ? n("device_days_left", days) : t("device_expired")}</>}
    </span>
  );
}
