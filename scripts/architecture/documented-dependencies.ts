import { lineAt, type Offence, type SourceFile } from './offence.ts'

/** Every direct dependency must have a line in docs/dependencies.md. */
export function checkDependencies(files: readonly SourceFile[]): Offence[] {
  const documented = files.find((file) => file.path === 'docs/dependencies.md')?.text ?? ''
  return files
    .filter((file) => /^(packages\/[^/]+\/)?package\.json$/.test(file.path))
    .flatMap((file) => {
      const manifest: { dependencies?: object; devDependencies?: object; optionalDependencies?: object } = JSON.parse(
        file.text,
      )
      const names = Object.keys({
        ...manifest.dependencies,
        ...manifest.devDependencies,
        ...manifest.optionalDependencies,
      })
      return names
        .filter((name) => !name.startsWith('@countersign/') && !documented.includes(`\`${name}\``))
        .map((name) => ({
          path: file.path,
          line: lineAt(file.text, file.text.indexOf(`"${name}"`)),
          message: `\`${name}\` has no line in docs/dependencies.md`,
        }))
    })
}
