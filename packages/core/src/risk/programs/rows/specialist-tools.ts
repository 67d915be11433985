import { assessDataVersions, assessHdfs, assessModels, assessWorkflows } from '../databases/data-pipelines.ts'
import { assessAdb, assessBoards, assessFastboot } from '../system/devices.ts'
import { fixed, type ProgramRow, READS, SMALL } from './program-row.ts'

/** Programs of trades: phones, boards, data, science, packaging. */
export const TRADES: readonly ProgramRow[] = [
  ['adb', assessAdb],
  ['fastboot', assessFastboot],
  [
    'idf.py esptool esptool.py espefuse.py espefuse west pio platformio arduino-cli nrfjprog probe-rs pyocd picotool mpremote',
    assessBoards,
  ],
  [
    'avrdude st-flash stm32flash dfu-util bossac teensy_loader_cli openocd jlinkexe uf2conv ampy',
    fixed('medium', 'devices.flash', 'writes to a device'),
  ],
  [
    'minicom picocom tio cu candump i2cdetect i2cget gpioget v4l2-ctl iio_info st-info scrcpy',
    fixed('low', 'devices.look', 'looks at a device'),
  ],
  ['cansend i2cset gpioset', fixed('medium', 'devices.change', 'changes a device')],
  [
    'emulator avdmanager apksigner zipalign bundletool aapt aapt2 apkanalyzer ndk-build xcodegen swiftgen agvtool jadx apktool',
    SMALL,
  ],
  ['sdkmanager ios-deploy idb', fixed('medium', 'packages.install', 'installs something')],
  ['pkgbuild productbuild stapler fpm dpkg-buildpackage debuild rpmbuild makepkg abuild appimagetool mock', SMALL],
  ['installer', fixed('high', 'packages.system', 'installs on the machine')],
  ['dput copr koji', fixed('high', 'packages.publish', 'publishes for everybody')],
  ['lintian namcap checksec bloaty flawfinder', READS],
  ['dbt sqlmesh', assessModels],
  ['airflow prefect dagster', assessWorkflows],
  ['hdfs hadoop', assessHdfs],
  ['dvc', assessDataVersions],
  ['spark-submit spark-shell pyspark snakemake nextflow kedro luigi great_expectations soda', SMALL],
  ['squeue sinfo sacct sstat qstat bjobs sprio', READS],
  ['sbatch srun salloc qsub bsub', fixed('medium', 'data.job', 'starts a job on a cluster')],
  ['scancel qdel bkill', fixed('medium', 'data.job', 'ends a job on a cluster')],
  ['samtools bcftools bedtools seqkit fastqc blastn blastp bwa bowtie2 minimap2 gdalinfo ogrinfo ncdump cdo', SMALL],
  ['ogr2ogr gdal_translate gdalwarp qgis_process blender gimp', fixed('medium', 'files.convert', 'writes a new file')],
  ['godot zola pelican antora lake lean coqc agda swipl', SMALL],
  ['bats shellspec kcov lcov genhtml gcovr heaptrack afl-fuzz honggfuzz', SMALL],
  ['unar dtrx atool cabextract lzop', fixed('medium', 'files.archive', 'packs or unpacks files')],
  ['rocm-smi', READS],
]
