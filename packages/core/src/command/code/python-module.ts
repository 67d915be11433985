import type { CommandWord } from '../model/decomposition.ts'
import { interpreterOf } from './inline-code.ts'

/** Modules that are programs: `python -m pip` is `pip`. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ...(
    'pip pytest black ruff mypy isort flake8 pylint coverage twine poetry uv pipx virtualenv tox nox alembic bandit ' +
    'pyright invoke jupyter uvicorn gunicorn flask celery streamlit mkdocs sphinx autopep8 yapf pipenv pdm hatch ' +
    'build pytype pyflakes pycodestyle pydocstyle vulture radon cookiecutter scrapy conda maturin meson ansible'
  )
    .split(' ')
    .map((name): [string, string] => [name, name]),
  ['pip3', 'pip'],
  ['pre_commit', 'pre-commit'],
  ['django', 'django-admin'],
  ['awscli', 'aws'],
  ['yt_dlp', 'yt-dlp'],
])

/** A module run with `-m`: its name (null when unknown) and the words after it. */
export interface RunModule {
  readonly name: string | null
  /** The program of the same name, if any. */
  readonly program: string | null
  readonly rest: readonly CommandWord[]
}

/** Finds the module that `python -m` runs. */
export function moduleOf(program: string, args: readonly CommandWord[]): RunModule | null {
  if (interpreterOf(program) !== 'python') return null
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || !value.startsWith('-') || value === '-') return null
    const joined = /^-[bBdEhiIOqsSuvx]*m(.*)$/s.exec(value)?.[1]
    if (joined !== undefined) {
      const named = joined === '' ? args[at + 1] : { text: joined, value: joined, glob: false }
      const name = named?.value ?? null
      return { name, program: PROGRAMS.get(name ?? '') ?? null, rest: args.slice(joined === '' ? at + 2 : at + 1) }
    }
    if (value === '-c') return null
    if (value === '-W' || value === '-X') at++
  }
  return null
}
