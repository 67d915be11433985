/** Files that every published package needs besides its code: the license, and the third-party licenses of the bundled command. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i

/** Copies the license into every package, since npm packs only files inside the package's folder. */
export function copyLicense(root: string): void {
  for (const name of readdirSync(join(root, 'packages')))
    if (existsSync(join(root, 'packages', name, 'package.json')))
      copyFileSync(join(root, 'LICENSE'), join(root, 'packages', name, 'LICENSE'))
}

/** Writes the licenses of the third-party packages that these modules come from. */
export function writeThirdPartyLicenses(path: string, moduleIds: readonly string[]): void {
  const folders = new Set(moduleIds.map(packageFolder).filter((folder) => folder !== undefined))
  const sections = [...folders].map(licenseSection).sort()
  const head = 'This package contains code of the following packages.\n'
  writeFileSync(path, [head, ...new Set(sections)].join(`\n${'-'.repeat(80)}\n\n`))
}

/** The folder of the package that a module belongs to; undefined for the project's own modules. */
function packageFolder(moduleId: string): string | undefined {
  return /^(?:\0)?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1]
}

function licenseSection(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
  }
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n').concat('\n')
}
