/** A request to the API, as the ready calls make it. */
export interface Call {
  url: string;
  key: string;
  /** Sent with POST; without it the call is a GET. */
  body?: object;
  /** Makes a repeated call safe. */
  once?: string;
}

export const languages = ["curl", "JavaScript", "Python", "PHP", "C#"] as const;
export type ProgramLanguage = (typeof languages)[number];

/** Returns a call in a language. The values are texts of JSON, which all of them read. */
export function program(language: ProgramLanguage, call: Call): string {
  const json = call.body ? JSON.stringify(call.body, null, 2) : "";
  const headers: [string, string][] = [["Authorization", `Bearer ${call.key}`]];
  if (call.body) headers.push(["Content-Type", "application/json"]);
  if (call.once) headers.push(["Idempotency-Key", call.once]);
  switch (language) {
    case "curl":
      return [`curl -i ${shell(call.url)}`, ...headers.map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`), ...(json ? [`  -d ${shell(json)}`] : [])].join(" \\\n") + "\n";
    case "JavaScript": {
      const body = json ? `  body: JSON.stringify(${indented(json, "  ")}),\n` : "";
      return `const response = await fetch(${quote(call.url)}, {
${json ? '  method: "POST",\n' : ""}  headers: {
${headers.map(([name, value]) => `    ${quote(name)}: ${quote(value)},\n`).join("")}  },
${body}});
console.log(response.status, await response.json());
`;
    }
    case "Python":
      return `import json
import urllib.request

${json ? `body = ${json}\n` : ""}request = urllib.request.Request(
    ${quote(call.url)},
${json ? '    data=json.dumps(body).encode(),\n    method="POST",\n' : ""}    headers={
${headers.map(([name, value]) => `        ${quote(name)}: ${quote(value)},\n`).join("")}    },
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))
`;
    case "PHP":
      return `<?php
${json ? `$body = <<<'JSON'\n${json}\nJSON;\n` : ""}$request = curl_init(${single(call.url)});
curl_setopt_array($request, [
${json ? "    CURLOPT_POST => true,\n    CURLOPT_POSTFIELDS => $body,\n" : ""}    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
${headers.map(([name, value]) => `        ${single(`${name}: ${value}`)},\n`).join("")}    ],
]);
$response = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), " ", $response, "\\n";
`;
    case "C#": {
      const own = headers.filter(([name]) => name !== "Content-Type");
      return `using System;
using System.Net.Http;
using System.Text;

using var client = new HttpClient();
${own.map(([name, value]) => `client.DefaultRequestHeaders.Add(${quote(name)}, ${quote(value)});\n`).join("")}${
        json
          ? `var body = """\n${indented(json, "    ", true)}\n    """;\nvar response = await client.PostAsync(\n    ${quote(call.url)},\n    new StringContent(body, Encoding.UTF8, "application/json"));\n`
          : `var response = await client.GetAsync(${quote(call.url)});\n`
      }Console.WriteLine((int)response.StatusCode + " " + await response.Content.ReadAsStringAsync());
`;
    }
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function single(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function indented(text: string, by: string, first = false): string {
  return (first ? by : "") + text.replaceAll("\n", `\n${by}`);
}
