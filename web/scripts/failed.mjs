// A reporter of node --test: writes a line of JSON for each test that failed.
export default async function* failed(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail") continue;
    const file = data.file ?? data.name; // a file that could not be run is named as a test
    yield `${JSON.stringify({ file, name: data.name })}\n`;
  }
}
