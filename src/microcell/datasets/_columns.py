"""Columns of the benchmark files, in the order of their header row."""

_HEADERS = {
    "adult": (
        "age workclass fnlwgt education education-num marital-status occupation "
        "relationship race sex capital-gain capital-loss hours-per-week "
        "native-country income"
    ),
    "breast-cancer-wisconsin": (
        "sample_code_number clump_thickness cell_size_uniformity "
        "cell_shape_uniformity marginal_adhesion single_epithelial_cell_size "
        "bare_nuclei bland_chromatin normal_nucleoli mitoses class"
    ),
    "census": (
        "AFNLWGT AGI EMCONTRB FEDTAX PTOTVAL STATETAX TAXINC POTHVAL INTVAL PEARNVAL "
        "FICA WSALVAL ERNVAL"
    ),
    "ecoli": "sequence_name mcg gvh lip chg aac alm1 alm2 class",
    "eia": (
        "UTILITYID UTILNAME STATE YEAR MONTH RESREVENUE RESSALES COMREVENUE COMSALES "
        "INDREVENUE INDSALES OTHREVENUE OTHRSALES TOTREVENUE TOTSALES"
    ),
    "electrical-grid": "tau1 tau2 tau3 tau4 p1 p2 p3 p4 g1 g2 g3 g4 stab stabf",
    "glass": "id RI Na Mg Al Si K Ca Ba Fe type",
    "heart-cleveland": (
        "age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num"
    ),
    "page-blocks": (
        "height length area eccen p_black p_and mean_tr blackpix blackand wb_trans "
        "class"
    ),
    "pima-diabetes": "preg plas pres skin insu mass pedi age class",
    "waveform": (
        "x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 "
        "class"
    ),
    "yeast": "sequence_name mcg gvh alm mit erl pox vac nuc class",
}
COLUMNS = {name: tuple(header.split()) for name, header in _HEADERS.items()}
