package detect

// Names of conditions in common use, in English with some French, Spanish and German
// ones, and names of active substances. Both are our own short selection of generic
// words. The vocabularies to check them against are ICD-11 and the International
// Nonproprietary Names (World Health Organization); neither list was extracted from
// them.

var conditionTerms = []string{
	"diabetes", "type 1 diabetes", "type 2 diabetes", "hypertension", "high blood pressure", "asthma", "epilepsy", "depression", "major depression",
	"major depressive disorder", "anxiety disorder", "generalized anxiety disorder", "bipolar disorder", "schizophrenia", "ptsd", "post-traumatic stress disorder", "adhd",
	"autism", "ocd", "obsessive-compulsive disorder", "anorexia", "bulimia", "alcoholism", "alcohol use disorder", "opioid use disorder", "opioid addiction", "substance abuse",
	"hiv", "hiv positive", "aids", "hepatitis b", "hepatitis c", "hepatitis", "tuberculosis", "syphilis", "gonorrhea", "chlamydia", "herpes", "covid-19",
	"cancer", "breast cancer", "lung cancer", "prostate cancer", "colon cancer", "pancreatic cancer", "ovarian cancer", "leukemia", "lymphoma", "melanoma", "carcinoma", "multiple myeloma", "brain tumor",
	"crohn's disease", "ulcerative colitis", "celiac disease", "irritable bowel syndrome", "cirrhosis", "chronic kidney disease", "kidney failure", "renal failure",
	"heart failure", "congestive heart failure", "coronary artery disease", "atrial fibrillation", "myocardial infarction", "heart attack", "stroke", "arrhythmia", "angina",
	"parkinson's disease", "parkinson's", "alzheimer's disease", "alzheimer's", "dementia", "multiple sclerosis", "migraine", "migraines", "neuropathy", "cerebral palsy", "als",
	"lupus", "rheumatoid arthritis", "osteoarthritis", "arthritis", "osteoporosis", "fibromyalgia", "gout", "psoriasis", "eczema", "sickle cell disease", "sickle cell anemia", "sickle cell anaemia", "anorexia nervosa", "bulimia nervosa", "anaemia", "leukaemia", "haemophilia", "ischaemic heart disease", "hemophilia", "anemia",
	"copd", "emphysema", "cystic fibrosis", "pneumonia", "sleep apnea", "hypothyroidism", "hyperthyroidism", "endometriosis", "infertility", "miscarriage", "preeclampsia", "obesity",
	"glaucoma", "macular degeneration", "insomnia", "panic disorder", "panic attacks", "borderline personality disorder", "suicidal ideation", "eating disorder", "down syndrome", "chronic fatigue syndrome", "polycystic ovary syndrome", "kidney stones", "hyperlipidemia", "high cholesterol", "pulmonary embolism", "deep vein thrombosis", "sepsis",
	"diabète", "hypertension artérielle", "asthme", "épilepsie", "dépression", "trouble bipolaire", "schizophrénie", "sclérose en plaques", "cancer du sein", "vih", "migraine chronique", "maladie de crohn", "insuffisance cardiaque",
	"hipertensión", "asma", "epilepsia", "depresión", "trastorno bipolar", "esquizofrenia", "esclerosis múltiple", "cáncer", "cáncer de mama", "migraña",
	"bluthochdruck", "epilepsie", "depressionen", "schizophrenie", "multiple sklerose", "krebs", "brustkrebs", "migräne", "bipolare störung", "multipler sklerose", "morbus crohn",
}

var medicationTerms = []string{
	"metformin", "insulin", "lisinopril", "amlodipine", "atorvastatin", "simvastatin", "rosuvastatin", "losartan", "valsartan", "ramipril", "metoprolol", "atenolol", "bisoprolol", "carvedilol",
	"hydrochlorothiazide", "furosemide", "spironolactone", "warfarin", "apixaban", "rivaroxaban", "dabigatran", "clopidogrel", "digoxin", "amiodarone", "levothyroxine", "prednisone", "prednisolone",
	"dexamethasone", "methotrexate", "hydroxychloroquine", "adalimumab", "etanercept", "infliximab", "rituximab", "trastuzumab", "pembrolizumab", "nivolumab", "bevacizumab", "tamoxifen", "letrozole", "anastrozole",
	"carboplatin", "cisplatin", "paclitaxel", "docetaxel", "doxorubicin", "cyclophosphamide", "imatinib", "sertraline", "fluoxetine", "paroxetine", "citalopram", "escitalopram", "venlafaxine", "duloxetine",
	"bupropion", "mirtazapine", "trazodone", "amitriptyline", "lithium", "lamotrigine", "valproate", "carbamazepine", "levetiracetam", "topiramate", "gabapentin", "pregabalin", "phenytoin", "clozapine", "olanzapine",
	"quetiapine", "risperidone", "aripiprazole", "haloperidol", "alprazolam", "lorazepam", "diazepam", "clonazepam", "zolpidem", "methylphenidate", "lisdexamfetamine", "atomoxetine", "buprenorphine", "methadone", "naltrexone",
	"naloxone", "oxycodone", "hydrocodone", "morphine", "fentanyl", "tramadol", "codeine", "sumatriptan", "donepezil", "memantine", "levodopa", "pramipexole", "ropinirole", "tenofovir", "emtricitabine", "efavirenz", "dolutegravir",
	"lamivudine", "zidovudine", "abacavir", "raltegravir", "sofosbuvir", "ribavirin", "acyclovir", "valacyclovir", "oseltamivir", "amoxicillin", "azithromycin", "ciprofloxacin", "doxycycline", "isoniazid", "rifampicin", "rifampin",
	"salbutamol", "albuterol", "budesonide", "fluticasone", "montelukast", "tiotropium", "salmeterol", "omeprazole", "pantoprazole", "esomeprazole", "ondansetron", "mesalazine", "azathioprine", "tacrolimus", "ciclosporin", "mycophenolate",
	"semaglutide", "liraglutide", "dulaglutide", "tirzepatide", "empagliflozin", "dapagliflozin", "sitagliptin", "glipizide", "gliclazide", "finasteride", "tamsulosin", "sildenafil", "tadalafil", "testosterone", "estradiol", "progesterone",
	"clomifene", "misoprostol", "mifepristone", "allopurinol", "colchicine", "alendronate", "denosumab", "ibuprofen", "naproxen", "celecoxib", "interferon beta", "ocrelizumab", "fingolimod", "natalizumab",
	"metformine", "insuline", "metformina", "insulina", "sertralina", "warfarina", "lévothyroxine", "levotiroxina",
}
