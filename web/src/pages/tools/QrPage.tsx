import { useState } from "react";
import { Field } from "../../parts/Field";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { FormError } from "../../parts/states";
import { useWords } from "../../words";
import { Drop } from "./Drop";
import { Tags } from "./Tags";
import { decode, type Field as TagField, NotACode } from "./tlv";

/** Reads codes from pictures, where browsers can. */
interface Detector {
  detect(picture: ImageBitmap): Promise<{ rawValue: string }[]>;
}

async function detector(): Promise<Detector | null> {
  const Class = (globalThis as { BarcodeDetector?: { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> } }).BarcodeDetector;
  if (!Class || !(await Class.getSupportedFormats()).includes("qr_code")) return null;
  return new Class({ formats: ["qr_code"] });
}

const reasons = { base64: "tool_qr_bad_base64", cut: "tool_qr_bad_cut", twice: "tool_qr_bad_twice", text: "tool_qr_bad_text" } as const;

/** Reads the QR code of an invoice in the browser. */
export default function QrPage() {
  const { t } = useWords();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  let fields: TagField[] = [];
  let wrong = "";
  if (text.trim()) {
    try {
      fields = decode(text);
    } catch (error) {
      if (!(error instanceof NotACode)) throw error;
      wrong = t(reasons[error.reason], { tag: error.tag });
    }
  }
  const read = async (file: File) => {
    setProblem("");
    const reader = await detector();
    if (!reader) return setProblem(t("tool_qr_no_detector"));
    let picture: ImageBitmap;
    try {
      picture = await createImageBitmap(file);
    } catch {
      return setProblem(t("tool_qr_no_picture"));
    }
    const [found] = await reader.detect(picture).catch(() => []);
    picture.close();
    if (found) setText(found.rawValue);
    else setProblem(t("tool_qr_no_code"));
  };
  return (
    <Page title={t("tool_qr_title")}>
      <p className="-mt-3 text-muted">{t("tool_qr_lead")}</p>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Field label={t("tool_qr_text")} help={t("tool_qr_text_help")} name="code" rows={7} value={text} onChange={setText} problem={wrong || undefined} ltr />
        <div className="grid gap-2">
          <Drop label={t("tool_qr_drop")} choose={t("tool_qr_choose")} accept={["image/*"]} onFile={(file) => void read(file)} />
          <FormError>{problem}</FormError>
        </div>
      </div>
      {fields.length > 0 && (
        <Panel title={t("tool_qr_result")}>
          <p className="border-b border-line px-4 py-3 text-muted">{t(fields.some((f) => f.tag === 6) ? "tool_qr_phase2" : "tool_qr_phase1")}</p>
          <Tags fields={fields} />
        </Panel>
      )}
    </Page>
  );
}
