import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/**
 * The files and folders of the running program: Node, the script that was started, its package, and the inbox. The service
 * tells them to agents, so that `doctor` can test whether an agent's user could change them.
 */
export function programPaths(inbox: string | undefined): readonly string[] {
  const own = packageOf(import.meta.dirname)
  // In the repository every package and dependency is part of the program.
  const folders = import.meta.filename.endsWith('.ts') ? [dirname(own), join(own, '../../node_modules')] : [own]
  const files = [process.execPath, process.argv[1], inbox].filter((path) => path !== undefined)
  return [...files.filter((path) => !folders.some((folder) => path.startsWith(folder + sep))), ...folders]
}

function packageOf(folder: string): string {
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : packageOf(dirname(folder))
}
