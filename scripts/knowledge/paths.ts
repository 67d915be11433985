import { LIST, wordDomain, words } from './word-domain.ts'

/** Well-known files and folders. */
export const PATHS = wordDomain('paths', {
  system: {
    ...words('system', 'shared_roots', 'process_files', 'process_folders'),
    devices: LIST,
    temporary: LIST,
    caches: LIST,
    local_installs: LIST,
    writable_by_all: LIST,
  },
  'credential-files': {
    ...words('folders', 'files', 'histories', 'endings', 'examples'),
    paths: LIST,
    usual_in_home: LIST,
    usual_in_system: LIST,
    usual_in_project: LIST,
  },
  gate: { private: LIST, readable: LIST },
  'startup-files': { ...words('names', 'version_control'), paths: LIST },
  'regenerable-files': { ...words('names', 'endings', 'executable', 'installed'), home_caches: LIST },
})
