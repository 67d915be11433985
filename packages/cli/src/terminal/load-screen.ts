/** Ink, React and what is drawn with them: loaded only where a person sits, as no other subcommand needs them. */
export async function loadTerminal(): Promise<typeof import('@countersign/terminal')> {
  // React reads it as it is loaded; its checks for developers would cost every key press.
  process.env['NODE_ENV'] ??= 'production'
  return import('@countersign/terminal')
}
